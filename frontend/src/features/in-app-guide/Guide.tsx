import { CopyLink } from '~/features/share/CopyLink';
import { useMessages } from '~/lib/messages/messages';
import { Dialog } from '~/ui/Dialog';
import { Mark } from '~/ui/Mark';
import { dismiss } from './host-apps';
import styles from './InAppGuide.module.css';

/** A full-screen guide to opening the page in the system browser. */
export function Guide() {
  const t = useMessages('guide');
  return (
    <Dialog open className={styles.guide} aria-labelledby="guide-title" onClose={dismiss}>
      <svg className={styles.arrow} viewBox="0 0 120 120" aria-hidden="true">
        <path d="M12 112C60 108 96 78 104 20M86 36l19-20 11 25" />
      </svg>
      <div className={styles.words}>
        <Mark className={styles.mark} />
        <h2 id="guide-title" className={styles.title}>
          {t('title')}
        </h2>
        <ol className={styles.steps}>
          <li>
            {t.rich('menu', {
              dots: <b aria-hidden="true">···</b>,
            })}
          </li>
          <li>{t('open')}</li>
        </ol>
        <div className={styles.copy}>
          <p>{t('copy')}</p>
          <CopyLink url={window.location.href} />
        </div>
        <form method="dialog">
          <button type="submit" className={styles.stay}>
            {t('stay')}
          </button>
        </form>
      </div>
    </Dialog>
  );
}
