import { call } from '~/lib/api';
import type { Locale } from '~/lib/locale';

/** A country's telephone code as config tells it. */
export interface TelCode {
  id: string;
  name: string;
  nameAr: string;
  telCode: string;
}

/** Countries that are shown first, and all of them. */
export interface TelCodes {
  general: TelCode[];
  all: TelCode[];
}

let loading: Promise<TelCodes> | undefined;

/** The list, fetched once; a failure is tried again by the next caller. */
export function loadTelCodes(locale: Locale): Promise<TelCodes> {
  loading ??= call<TelCodes>('/basic/country/tel-codes', {}, { locale }).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** A choice as it is written: the code first, its plus behind it in Arabic. */
export function telCodeLabel(locale: Locale, { name, nameAr, telCode }: TelCode): string {
  return locale === 'ar-sa' ? `${telCode}+ ${nameAr || name}` : `+${telCode} ${name}`;
}
