import { definePage } from '~/lib/page/define-page';
import { UsStocksPage } from './UsStocksPage';

export default definePage({
  Component: UsStocksPage,
  messages: ['invest-product', 'invest-us-stocks', 'margin', 'open-account'],
});
