import { defineProductPage } from '../ProductPage';
import { PayoffDiagrams } from './PayoffDiagrams';

/** The right to buy or sell, and its value at expiry. */
export default defineProductPage({ product: 'us-options', Diagram: PayoffDiagrams, wide: true });
