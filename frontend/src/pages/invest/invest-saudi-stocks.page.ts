import { definePage } from '~/lib/page/define-page';
import { SaudiStocksPage } from './SaudiStocksPage';

export default definePage({
  Component: SaudiStocksPage,
  messages: ['invest-product', 'invest-saudi-stocks', 'open-account'],
});
