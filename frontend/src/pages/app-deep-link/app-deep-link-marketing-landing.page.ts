import { definePage } from '~/lib/page/define-page';
import { AppDeepLinkPage } from './AppDeepLinkPage';

export default definePage({
  Component: AppDeepLinkPage,
  messages: ['app-link', 'download', 'quotes'],
});
