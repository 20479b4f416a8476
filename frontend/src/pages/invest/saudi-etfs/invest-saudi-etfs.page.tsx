import { defineProductPage } from '../ProductPage';
import { BasketDiagram } from './BasketDiagram';

/** Many securities in one unit, and how its price relates to them. */
export default defineProductPage({ product: 'saudi-etfs', Diagram: BasketDiagram });
