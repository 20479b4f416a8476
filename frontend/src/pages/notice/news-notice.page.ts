import { definePage } from '~/lib/page/define-page';
import { NoticePage } from './NoticePage';

export default definePage({ Component: NoticePage, messages: ['notice', 'reading', 'quotes'] });
