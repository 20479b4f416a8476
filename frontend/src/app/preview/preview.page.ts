import { definePage } from '~/lib/page/define-page';
import { PreviewPage } from './PreviewPage';

export default definePage({ Component: PreviewPage, messages: ['preview'] });
