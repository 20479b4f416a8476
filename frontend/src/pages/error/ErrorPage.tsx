import { useEffect } from 'react';
import type { ErrorPageJson } from '~/gen/sahm/page/v1/page_pb';
import { pathTo } from '~/lib/links/path-to';
import { sitePathOf, usePaths } from '~/lib/links/paths';
import { SiteLink } from '~/lib/links/SiteLink';
import { translator, useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { frameOf, type PagePayload } from '~/lib/page/payload';
import { errorTitle, statusOf, useConnected } from '~/lib/status';
import { buttonClass } from '~/ui/button';
import headings from '~/ui/headings.module.css';
import { Section } from '~/ui/Section';
import secondary from '~/ui/secondary.module.css';
import { TriangleField } from '~/ui/TriangleField';
import styles from './ErrorPage.module.css';

const BROKEN = ['..........', '..##......', '.####..##.', '######.###', '..........'];

/** The error page; its message depends on the status. */
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
      <h1 className={`${headings.small} ${styles.title}`}>{title}</h1>
      <p className={styles.text}>{t(connected ? 'text' : 'text.offline')}</p>
      <p className={styles.ways}>
        <a href={href(url)} className={buttonClass('primary')} data-document="">
          {t('retry')}
        </a>
        <SiteLink to={pathTo('home')} className={buttonClass('quiet')}>
          {t('home')}
        </SiteLink>
      </p>
      {status > 0 && <p className={secondary.small}>{t('status', { status })}</p>}
    </Section>
  );
}

/** Pause between attempts while the network is back but the site does not respond. */
const RETRY_DELAY_MS = 3_000;
const MAX_ATTEMPTS = 20;

/**
 * Reloads the page when the device is online again. The site must respond first: otherwise the
 * browser's error page would replace the page.
 */
function useRetryOnline(): void {
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener('online', () => retry(signal), { signal });
    return () => stop.abort();
  }, []);
}

async function retry(signal: AbortSignal) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS && navigator.onLine; attempt += 1) {
    try {
      await fetch(window.location.href, { method: 'HEAD', cache: 'no-store', signal });
      window.location.reload();
      return;
    } catch {
      if (signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    }
  }
}

/**
 * Builds the error page in the layout of the previous page, if the server did not send one. Its
 * messages must be loaded.
 */
export function errorPayload(shown: PagePayload, status: number, url = shown.url): PagePayload {
  const { layoutData, member } = frameOf(shown);
  const { build, visitor } = shown;
  const title = translator(visitor.locale, 'error')(errorTitle(navigator.onLine, status));
  const document: ErrorPageJson = {
    status,
    frame: {
      page: 'error',
      layout: 'default',
      locale: visitor.locale,
      path: sitePathOf(url.split('?', 1)[0] ?? ''),
      renderedAt: Math.floor(Date.now() / 1000),
      head: { title, noindex: true },
      ...(layoutData && { layoutData }),
      ...(member && { member }),
    },
  };
  return { build, visitor, url, page: 'error', document };
}
