import { definePage } from '~/lib/page/define-page';
import { BrandPage } from './BrandPage';

export default definePage({ Component: BrandPage, messages: ['brand'] });
