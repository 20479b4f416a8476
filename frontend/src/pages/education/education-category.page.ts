import { definePage } from '~/lib/page/define-page';
import { CategoryPage } from './CategoryPage';

export default definePage({ Component: CategoryPage, messages: ['education', 'college'] });
