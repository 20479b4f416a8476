import { definePage } from '~/lib/page/define-page';
import { ActivityPage } from './ActivityPage';

export default definePage({ Component: ActivityPage, messages: ['activity'] });
