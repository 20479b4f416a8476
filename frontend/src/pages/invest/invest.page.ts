import { definePage } from '~/lib/page/define-page';
import { InvestPage } from './InvestPage';

export default definePage({ Component: InvestPage, messages: ['invest', 'quotes'] });
