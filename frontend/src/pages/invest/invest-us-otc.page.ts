import { definePage } from '~/lib/page/define-page';
import { UsOtcPage } from './UsOtcPage';

export default definePage({
  Component: UsOtcPage,
  messages: ['invest-product', 'invest-us-otc', 'open-account'],
});
