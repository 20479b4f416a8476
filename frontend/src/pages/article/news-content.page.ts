import { definePage } from '~/lib/page/define-page';
import { ArticlePage } from './ArticlePage';

export default definePage({
  Component: ArticlePage,
  messages: ['article', 'reading', 'open-account'],
});
