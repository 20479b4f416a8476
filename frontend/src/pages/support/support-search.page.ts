import { definePage } from '~/lib/page/define-page';
import { SupportSearchPage } from './SupportSearchPage';

export default definePage({ Component: SupportSearchPage, messages: ['support'] });
