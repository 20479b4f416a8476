import { definePage } from '~/lib/page/define-page';
import { SaudiEtfsPage } from './SaudiEtfsPage';

export default definePage({
  Component: SaudiEtfsPage,
  messages: ['invest-product', 'invest-saudi-etfs', 'open-account'],
});
