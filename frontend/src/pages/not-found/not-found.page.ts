import { definePage } from '~/lib/page/define-page';
import { NotFoundPage } from './NotFoundPage';

export default definePage({ Component: NotFoundPage, messages: ['not-found'] });
