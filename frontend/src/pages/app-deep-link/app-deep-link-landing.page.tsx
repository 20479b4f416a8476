import { useEffect, useRef, useState } from 'react';
import { storeOf, useDevice } from '~/features/app-launch/device';
import { launch, type Outcome } from '~/features/app-launch/launch';
import { StoreLinks } from '~/features/app-launch/StoreLinks';
import { launchOf, originOf, targetOf } from '~/features/app-launch/target';
import { AppScreen } from '~/features/app-screens/AppScreen';
import { isHostApp } from '~/features/in-app-guide/host-apps';
import type { AppDeepLinkPageJson } from '~/gen/sahm/page/v1/company_pb';
import { pathTo } from '~/lib/links/path-to';
import { usePaths } from '~/lib/links/paths';
import { useAddress } from '~/lib/links/useAddress';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { useHydrated } from '~/lib/page/hydrated';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { Mark } from '~/ui/Mark';
import { QrDrawing } from '~/ui/qr/QrDrawing';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import sections from '~/ui/sections.module.css';
import { TextLink } from '~/ui/TextLink';
import styles from './AppDeepLinkPage.module.css';

/** `/app-deep-link/landing` and `/app-deep-link/marketing/landing`: opens the app or its store. */
function AppDeepLinkPage({ document }: { document: AppDeepLinkPageJson }) {
  const { page, frame } = usePage();
  const t = useMessages('app-link');
  const download = useMessages('download');
  const common = useMessages('common');
  const { href } = usePaths();
  const oneLink = document.oneLink ?? '';
  const {
    state,
    device,
    page: target,
    start,
  } = useAppLaunch(oneLink, document.targetOrigins ?? []);
  const kind = page === 'app-deep-link-marketing-landing' ? 'marketing' : 'landing';
  const code = oneLink || frame.head?.canonical || '';
  return (
    <Section as="div" night className={styles.page}>
      <Section as="div" className={styles.inner}>
        <div className={styles.words}>
          <p className={styles.brand}>
            <Mark />
            {common('site-name')}
          </p>
          <h1 className={`${headings.large} ${styles.title}`}>{t(`${kind}.title`)}</h1>
          <p className={sections.lead}>{t(`${kind}.text`)}</p>
          <p className={rows.actions}>
            <a
              href={oneLink || href(pathTo('download'))}
              className={buttonClass('primary', 'large')}
              data-document=""
              aria-busy={state === 'trying' || undefined}
              onClick={(event) => {
                // PCs have no app, so the link is followed unchanged.
                if (device === undefined || device === 'other') return;
                event.preventDefault();
                start();
              }}
            >
              {t('open')}
            </a>
            {target ? (
              <a href={target} className={links.text}>
                {t('read')}
                <Icon name="arrow-forward" />
              </a>
            ) : (
              <TextLink to={pathTo('home')}>{t('site')}</TextLink>
            )}
          </p>
          <p role="status" className={styles.state}>
            {state !== 'idle' && t(`state.${state}`)}
          </p>
          <h2 className={styles.get}>{t('get')}</h2>
          <StoreLinks />
          {code && <QrDrawing text={code} label={download('qr')} caption={download('qr.scan')} />}
          <p className={styles.risk}>{common('risk')}</p>
        </div>
        <AppScreen screen={kind === 'marketing' ? 'order' : 'portfolio'} className={styles.phone} />
      </Section>
    </Section>
  );
}

/**
 * Opens the app at the target in the query. A phone that arrives with a target needs no button
 * press; after a failed launch it goes to the phone's store, or to the download page if there is
 * none.
 */
function useAppLaunch(oneLink: string, targetOrigins: readonly string[]) {
  const { frame } = usePage();
  const hydrated = useHydrated();
  const { href } = usePaths();
  const { search } = useAddress();
  const device = useDevice();
  const [state, setState] = useState<'idle' | 'trying' | Outcome>('idle');
  const begun = useRef(false);
  const ofOneLink = originOf(oneLink);
  const origins = ofOneLink ? [ofOneLink, ...targetOrigins] : targetOrigins;
  const target = hydrated ? targetOf(search, window.location.origin, origins) : undefined;
  const fallback =
    (device && storeOf(frame.layoutData?.stores ?? [], device)) ?? href(pathTo('download'));

  async function start() {
    if (!device || state === 'trying') return;
    if (device === 'other') {
      window.location.assign(fallback);
      return;
    }
    setState('trying');
    const outcome = await launch(launchOf(device, target, oneLink).url);
    setState(outcome);
    if (outcome === 'failed') window.location.assign(fallback);
  }

  // In another app's browser the guide is shown first.
  const auto =
    target !== undefined &&
    device !== undefined &&
    device !== 'other' &&
    !isHostApp(navigator.userAgent);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the target is known
  useEffect(() => {
    if (!auto || begun.current) return;
    begun.current = true;
    start();
  }, [auto]);

  /** The web page in the query, to read in the browser instead. */
  const page = target && /^https?:/.test(target) ? target : undefined;
  return { state, device, page, start };
}

export default definePage({
  Component: AppDeepLinkPage,
  messages: ['app-link', 'download', 'quotes'],
});
