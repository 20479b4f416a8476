import { definePage } from '~/lib/page/define-page';
import { SaudiReitsPage } from './SaudiReitsPage';

export default definePage({
  Component: SaudiReitsPage,
  messages: ['invest-product', 'invest-saudi-reits', 'open-account'],
});
