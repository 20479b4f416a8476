import { definePage } from '~/lib/page/define-page';
import { UsEtfsPage } from './UsEtfsPage';

export default definePage({
  Component: UsEtfsPage,
  messages: ['invest-product', 'invest-us-etfs', 'open-account'],
});
