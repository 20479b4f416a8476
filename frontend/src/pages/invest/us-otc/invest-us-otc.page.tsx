import { defineProductPage } from '../ProductPage';
import { DealersDiagram } from './DealersDiagram';

/** Trading between dealers, off exchange. */
export default defineProductPage({ product: 'us-otc', Diagram: DealersDiagram });
