import { defineProductPage } from '../ProductPage';
import { ChargeDiagram } from './ChargeDiagram';

/** A market in one unit, and the effect of its annual charge. */
export default defineProductPage({ product: 'us-etfs', Diagram: ChargeDiagram });
