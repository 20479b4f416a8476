import { definePage } from '~/lib/page/define-page';
import { SupportPage } from './SupportPage';

export default definePage({ Component: SupportPage, messages: ['support'] });
