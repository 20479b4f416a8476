import { defineProductPage } from '../ProductPage';
import { SettlementDiagram } from './SettlementDiagram';

/** A share, its trading day and its settlement. */
export default defineProductPage({ product: 'saudi-stocks', Diagram: SettlementDiagram });
