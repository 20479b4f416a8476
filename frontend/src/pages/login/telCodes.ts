import { listTelCodes, type ResultOf } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';

/** Countries that are shown first, and all of them. */
export type TelCodes = ResultOf<typeof listTelCodes>;

export type TelCode = Pick<TelCodes['all'][number], 'id' | 'name' | 'nameAr' | 'telCode'>;

let loading: Promise<TelCodes> | undefined;

/** The list, fetched once; a failure is tried again by the next caller. */
export function loadTelCodes(locale: Locale): Promise<TelCodes> {
  loading ??= post(listTelCodes, {}, { locale }).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** A choice as it is written: the code first, its plus behind it in Arabic. */
export function telCodeLabel(locale: Locale, { name, nameAr, telCode }: TelCode): string {
  return locale === 'ar-sa' ? `${telCode}+ ${nameAr || name}` : `+${telCode} ${name}`;
}
