import { definePage } from '~/lib/page/define-page';
import { CollegeArticlePage } from './education-article.page';

export default definePage({
  Component: CollegeArticlePage,
  messages: ['college-article', 'college', 'reading'],
});
