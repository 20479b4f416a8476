import { definePage } from '~/lib/page/define-page';
import { UsOptionsPage } from './UsOptionsPage';

export default definePage({
  Component: UsOptionsPage,
  messages: ['invest-product', 'invest-us-options', 'open-account'],
});
