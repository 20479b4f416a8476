import { type Translate, useMessages } from '~/lib/messages/messages';
import type { Product } from './products';

/** The message namespace of a product page; all have the keys that product pages share. */
export type ProductNamespace = `invest-${Product}`;

export function useProductTexts(product: Product): Translate<ProductNamespace> {
  return useMessages<ProductNamespace>(`invest-${product}`);
}

/** Each product page has four risks and four questions. */
export const FOUR = ['1', '2', '3', '4'] as const;
