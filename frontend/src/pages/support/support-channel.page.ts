import { definePage } from '~/lib/page/define-page';
import { SupportChannelPage } from './SupportChannelPage';

export default definePage({ Component: SupportChannelPage, messages: ['support'] });
