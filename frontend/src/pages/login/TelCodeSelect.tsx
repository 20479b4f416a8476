import { useEffect, useState } from 'react';
import { listTelCodes, type ResultOf } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import type { Control } from '~/ui/form/Field';
import { TEL_CODE_DEFAULT } from './rules';

/** Frequent countries, and all countries. */
export type TelCodes = ResultOf<typeof listTelCodes>;

export type TelCode = Pick<TelCodes['all'][number], 'id' | 'name' | 'nameAr' | 'telCode'>;

let loading: Promise<TelCodes> | undefined;

/** Loads the list once; a failure is retried by the next caller. */
function loadTelCodes(locale: Locale): Promise<TelCodes> {
  loading ??= post(listTelCodes, {}, { locale }).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** An option's text: the code first, with its plus sign after it in Arabic. */
function telCodeLabel(locale: Locale, { name, nameAr, telCode }: TelCode): string {
  return locale === 'ar-sa' ? `${telCode}+ ${nameAr || name}` : `+${telCode} ${name}`;
}

/** Telephone codes, frequent countries first; only Saudi Arabia until the list is loaded. */
export function TelCodeSelect({
  control,
  value,
  onChange,
}: {
  control: Control;
  value: string;
  onChange(telCode: string): void;
}) {
  const { locale } = usePage();
  const t = useMessages('login');
  const [codes, setCodes] = useState<TelCodes>();
  useEffect(() => {
    loadTelCodes(locale).then(setCodes, () => {});
  }, [locale]);
  const saudi: TelCode = {
    id: TEL_CODE_DEFAULT,
    name: t('country.saudi'),
    nameAr: t('country.saudi'),
    telCode: TEL_CODE_DEFAULT,
  };
  // Countries share codes, so the choice is stored as an index.
  const [chosen, setChosen] = useState('');
  const options = (group: string, list: readonly TelCode[]) =>
    list.map((code) => (
      <option key={code.id} value={`${group}:${code.id}:${code.telCode}`}>
        {telCodeLabel(locale, code)}
      </option>
    ));
  const general = codes?.general.length ? codes.general : [saudi];
  const first = general.find(({ telCode }) => telCode === value) ?? general[0] ?? saudi;
  return (
    <select
      // The list is loaded after hydration.
      data-live
      {...control}
      autoComplete="tel-country-code"
      value={chosen || `general:${first.id}:${first.telCode}`}
      onChange={({ target }) => {
        setChosen(target.value);
        onChange(target.value.split(':')[2] ?? TEL_CODE_DEFAULT);
      }}
    >
      <optgroup label={t('country.general')}>{options('general', general)}</optgroup>
      {codes && <optgroup label={t('country.all')}>{options('all', codes.all)}</optgroup>}
    </select>
  );
}
