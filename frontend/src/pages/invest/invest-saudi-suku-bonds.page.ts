import { definePage } from '~/lib/page/define-page';
import { SaudiSukukBondsPage } from './SaudiSukukBondsPage';

export default definePage({
  Component: SaudiSukukBondsPage,
  messages: ['invest-product', 'invest-saudi-suku-bonds', 'open-account'],
});
