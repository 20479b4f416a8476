import { definePage } from '~/lib/page/define-page';
import { HomePage } from './HomePage';

export default definePage({ Component: HomePage, messages: ['home', 'products', 'quotes'] });
