import type { ErrorPageJson } from '~/gen/sahm/page/v1/page_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import section from '~/ui/section.module.css';
import { TriangleField } from '~/ui/TriangleField';
import styles from './ErrorPage.module.css';
import { useOnline } from './useOnline';

const BROKEN = ['..........', '..##......', '.####..##.', '######.###', '..........'];

/** A page that could not be made: what it says depends on what answered (specification §3, §8). */
export function ErrorPage({ document: { status = 0 } }: { document: ErrorPageJson }) {
  const { url } = usePage();
  const t = useMessages('error');
  const online = useOnline();
  const title = !online ? 'title.offline' : status === 0 ? 'title.no-answer' : 'title';
  return (
    <div className={`${section.inner} ${styles.page}`}>
      <TriangleField rows={BROKEN} className={styles.art} />
      <h1 className={styles.title}>{t(title)}</h1>
      <p className={styles.text}>{t(online ? 'text' : 'text.offline')}</p>
      <p className={styles.ways}>
        <a href={url || ''} className={buttonClass('primary')} data-document="">
          {t('retry')}
        </a>
        <SiteLink to="/" className={buttonClass('quiet')}>
          {t('home')}
        </SiteLink>
      </p>
      {status > 0 && <p className={styles.status}>{t('status', { status })}</p>}
    </div>
  );
}
