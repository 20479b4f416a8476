import { definePage } from '~/lib/page/define-page';
import { SupportDocPage } from './SupportDocPage';

export default definePage({ Component: SupportDocPage, messages: ['support'] });
