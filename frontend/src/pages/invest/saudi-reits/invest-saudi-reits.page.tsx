import { defineProductPage } from '../ProductPage';
import { RentDiagram } from './RentDiagram';

/** Rent and distributions. */
export default defineProductPage({ product: 'saudi-reits', Diagram: RentDiagram });
