import { definePage } from '~/lib/page/define-page';
import { SupportDetailPage } from './SupportDetailPage';

export default definePage({ Component: SupportDetailPage, messages: ['support', 'feedback'] });
