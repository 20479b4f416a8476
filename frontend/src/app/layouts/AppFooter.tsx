import { LICENCE_NUMBER } from '~/lib/company';
import { formatYear } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Mark } from '~/ui/Mark';
import styles from './AppFooter.module.css';

/** The footer of the app layout inside the native app. */
export function AppFooter() {
  const { renderedAt } = usePage();
  const t = useMessages('common');
  return (
    <footer data-chrome="app-footer" className={styles.footer}>
      <Mark className={styles.mark} />
      <p>{t.rich('licensed', { licence: <bdi>{LICENCE_NUMBER}</bdi> })}</p>
      <p>{t('copyright', { year: formatYear(renderedAt) })}</p>
    </footer>
  );
}
