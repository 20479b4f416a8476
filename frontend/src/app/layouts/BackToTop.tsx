import { useSyncExternalStore } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { onScroll } from '~/ui/scroll';
import styles from './BackToTop.module.css';

const INSET_PX = 400;

/** A button that scrolls to the top; appears after the viewport's height minus 400 px. */
export function BackToTop() {
  const t = useMessages('chrome');
  const shown = useSyncExternalStore(
    onScroll,
    () => window.scrollY > window.innerHeight - INSET_PX,
    () => false,
  );
  return (
    <button
      type="button"
      data-chrome="back-to-top"
      className={styles.button}
      hidden={!shown}
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
