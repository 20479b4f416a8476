import { definePage } from '~/lib/page/define-page';
import { DownloadPage } from './DownloadPage';

export default definePage({ Component: DownloadPage, messages: ['download', 'quotes'] });
