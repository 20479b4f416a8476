import { formatDate, isoTime } from '~/lib/format/format';
import { absoluteTime, relativeTime } from '~/lib/format/time';
import { type Translate, useMessages } from '~/lib/messages/messages';
import { useHydrated } from '~/lib/page/hydrated';
import { usePage } from '~/lib/page/page';
import { useNow } from './clock';

/**
 * A time (epoch seconds) in Riyadh's time zone: absolute from the server, relative after hydration.
 */
export function Time({ epoch, className }: { epoch: number; className?: string | undefined }) {
  const hydrated = useHydrated();
  const t = useMessages('common');
  const now = useNow();
  // A new element for the relative text: changing text in place counts as a layout shift.
  return (
    <time key={hydrated ? 'relative' : 'absolute'} className={className} dateTime={isoTime(epoch)}>
      {hydrated ? relativeText(t, now, epoch) : absoluteTime(epoch)}
    </time>
  );
}

/** A date without the time of day. */
export function CalendarDate({ epoch }: { epoch: number }) {
  const { locale } = usePage();
  return <time dateTime={isoTime(epoch)}>{formatDate(locale, epoch)}</time>;
}

function relativeText(t: Translate<'common'>, now: number, epoch: number): string {
  const relative = relativeTime(now, epoch);
  switch (relative.kind) {
    case 'minutes':
      return t('time.minutes', { count: relative.count });
    case 'hour':
      return t('time.hour');
    case 'today':
      return t('time.today', { time: relative.time });
    case 'date':
      return relative.text;
  }
}
