import { useSyncExternalStore } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { onScroll } from '~/ui/scroll';
import styles from './BackToTop.module.css';

const INSET_PX = 400;
/** Within this distance of its end, the page counts as read. */
const END_PX = 100;

/**
 * A button that scrolls to the top; appears after the viewport's height minus 400 px, on phones at
 * the end of the page.
 */
export function BackToTop() {
  const t = useMessages('common');
  const position = useSyncExternalStore(onScroll, readPosition, () => 'start');
  return (
    <button
      type="button"
      data-chrome="back-to-top"
      data-at-end={position === 'end' || undefined}
      className={`${styles.button} screen-only`}
      hidden={position === 'start'}
      onClick={() => {
        window.scrollTo({ top: 0 });
        document.getElementById('main')?.focus({ preventScroll: true });
      }}
    >
      <Icon name="arrow-up" />
      <span className="visually-hidden">{t('back-to-top')}</span>
    </button>
  );
}

function readPosition(): 'start' | 'middle' | 'end' {
  const { scrollY, innerHeight } = window;
  if (scrollY <= innerHeight - INSET_PX) return 'start';
  const rest = document.documentElement.scrollHeight - innerHeight - scrollY;
  return rest < END_PX ? 'end' : 'middle';
}
