import { definePage } from '~/lib/page/define-page';
import { UsWarrantsPage } from './UsWarrantsPage';

export default definePage({
  Component: UsWarrantsPage,
  messages: ['invest-product', 'invest-us-warrants', 'open-account'],
});
