import { definePage } from '~/lib/page/define-page';
import { PricingPage } from './PricingPage';

export default definePage({
  Component: PricingPage,
  messages: ['pricing', 'fees', 'open-account'],
});
