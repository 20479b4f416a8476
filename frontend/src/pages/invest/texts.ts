import type { Product } from '~/features/products/products';
import { type Translate, useMessages } from '~/lib/messages/messages';

/** The texts of one product's page: all of them have the keys that pages share. */
export type ProductNamespace = `invest-${Product}`;

export function useProductTexts(product: Product): Translate<ProductNamespace> {
  return useMessages<ProductNamespace>(`invest-${product}`);
}

/** Each product page tells four risks and answers four questions. */
export const FOUR = ['1', '2', '3', '4'] as const;
