import { definePage } from '~/lib/page/define-page';
import { CompanyNewsPage } from './CompanyNewsPage';

export default definePage({ Component: CompanyNewsPage, messages: ['company-news'] });
