import { defineProductPage } from '../ProductPage';
import { GearingDiagram } from './GearingDiagram';

/** The right to buy new shares, and its gearing. */
export default defineProductPage({ product: 'us-warrants', Diagram: GearingDiagram });
