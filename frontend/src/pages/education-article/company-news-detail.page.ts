import { definePage } from '~/lib/page/define-page';
import { CollegeArticlePage } from './CollegeArticlePage';

export default definePage({
  Component: CollegeArticlePage,
  messages: ['college-article', 'college', 'reading'],
});
