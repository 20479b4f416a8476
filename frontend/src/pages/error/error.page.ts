import { definePage } from '~/lib/page/define-page';
import { ErrorPage } from './ErrorPage';

export default definePage({ Component: ErrorPage, messages: ['error'] });
