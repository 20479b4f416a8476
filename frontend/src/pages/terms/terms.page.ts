import { definePage } from '~/lib/page/define-page';
import { TermsPage } from './TermsPage';

export default definePage({ Component: TermsPage, messages: ['terms'] });
