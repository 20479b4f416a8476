import { definePage } from '~/lib/page/define-page';
import { AboutPage } from './AboutPage';

export default definePage({ Component: AboutPage, messages: ['about'] });
