import { defineProductPage } from '../ProductPage';
import { PaymentsDiagram } from './PaymentsDiagram';

/** Payments on fixed dates, and the principal at maturity. */
export default defineProductPage({ product: 'saudi-suku-bonds', Diagram: PaymentsDiagram });
