import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { formatCompact } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';

/** The day's volume, abbreviated; nothing if it is not known. */
export function Volume({ quote: { volume } }: { quote: QuoteJson }) {
  const { locale } = usePage();
  const t = useMessages('quotes');
  if (!volume) return null;
  const text = formatCompact(locale, volume);
  // A new element for each text: changing text in place counts as a layout shift.
  return (
    <span key={text}>
      <span className="visually-hidden">{t('column.volume')}: </span>
      {text}
    </span>
  );
}
