import { definePage } from '~/lib/page/define-page';
import { NewsListPage } from './NewsListPage';

export default definePage({ Component: NewsListPage, messages: ['news'] });
