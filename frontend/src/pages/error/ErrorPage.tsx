import { useEffect } from 'react';
import type { ErrorPageJson } from '~/gen/sahm/page/v1/page_pb';
import { pathTo } from '~/lib/links/path-to';
import { usePaths } from '~/lib/links/paths';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { errorTitle, statusOf, useConnected } from '~/lib/status';
import { buttonClass } from '~/ui/button';
import { Section } from '~/ui/Section';
import { TriangleField } from '~/ui/TriangleField';
import styles from './ErrorPage.module.css';
import { useRetryOnline } from './useRetryOnline';

const BROKEN = ['..........', '..##......', '.####..##.', '######.###', '..........'];

// In one chunk with the page: what makes its payload is needed only where the page is.
export { errorPayload } from './error-payload';

/** A page that could not be made: what it says depends on what answered. */
export function ErrorPage({ document: { status = 0 } }: { document: ErrorPageJson }) {
  const { url } = usePage();
  const { href } = usePaths();
  const t = useMessages('error');
  const connected = useConnected();
  const kind = statusOf(connected, status) ?? 'error';
  const title = t(errorTitle(connected, status));
  useEffect(() => {
    document.title = title;
  }, [title]);
  useRetryOnline();
  return (
    <Section as="div" className={styles.page} data-status={kind}>
      <TriangleField rows={BROKEN} className={styles.art} />
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{t(connected ? 'text' : 'text.offline')}</p>
      <p className={styles.ways}>
        <a href={href(url)} className={buttonClass('primary')} data-document="">
          {t('retry')}
        </a>
        <SiteLink to={pathTo('home')} className={buttonClass('quiet')}>
          {t('home')}
        </SiteLink>
      </p>
      {status > 0 && <p className={styles.status}>{t('status', { status })}</p>}
    </Section>
  );
}
