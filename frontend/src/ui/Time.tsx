import { formatDate, formatDateTime, isoTime } from '~/lib/format/format';
import { absoluteTime, relativeTime } from '~/lib/format/time';
import { type Translate, useMessages } from '~/lib/messages/messages';
import { useHydrated } from '~/lib/page/hydrated';
import { usePage } from '~/lib/page/page';
import { useNow } from './useNow';

/**
 * A point in time (epoch seconds), zone Asia/Riyadh. The server writes it absolutely; once hydrated
 * it is told as specification §9 'Relative time' says. `long` writes the month's name, as above an
 * article, and tells only the last 24 hours relatively.
 */
export function Time({
  epoch,
  long = false,
  className,
}: {
  epoch: number;
  long?: boolean;
  className?: string | undefined;
}) {
  const { locale } = usePage();
  const hydrated = useHydrated();
  const t = useMessages('chrome');
  const now = useNow();
  const written = long
    ? t('time.long', {
        date: formatDate(locale, epoch),
        time: formatDateTime(locale, epoch, {
          hour: '2-digit',
          minute: '2-digit',
          hourCycle: 'h23',
        }),
      })
    : absoluteTime(epoch);
  // The relative text is a new element: text that changes in place counts as a shift of the layout.
  return (
    <time key={hydrated ? 'relative' : 'absolute'} className={className} dateTime={isoTime(epoch)}>
      {hydrated ? told(t, now, epoch, long ? written : undefined) : written}
    </time>
  );
}

function told(t: Translate<'chrome'>, now: number, epoch: number, written?: string): string {
  const relative = relativeTime(now, epoch);
  switch (relative.kind) {
    case 'minute':
      return t('time.minute');
    case 'minutes':
      return t('time.minutes', { count: relative.count });
    case 'hour':
      return t('time.hour');
    case 'today':
      return t('time.today', { time: relative.time });
    case 'date':
      return written ?? relative.text;
  }
}
