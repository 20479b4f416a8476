import { StoreLinks } from '~/features/app-launch/StoreLinks';
import { AppScreen } from '~/features/app-screens/AppScreen';
import type { AppDeepLinkPageJson } from '~/gen/sahm/page/v1/company_pb';
import { pathTo } from '~/lib/links/path-to';
import { usePaths } from '~/lib/links/paths';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import { Icon } from '~/ui/Icon';
import { Mark } from '~/ui/Mark';
import { QrDrawing } from '~/ui/qr/QrDrawing';
import { Section } from '~/ui/Section';
import { textLinkClass } from '~/ui/text-link';
import styles from './AppDeepLinkPage.module.css';
import { useAppLaunch } from './useAppLaunch';

/** `/app-deep-link/landing` and `/app-deep-link/marketing/landing`: into the app, or to its store. */
export function AppDeepLinkPage({ document }: { document: AppDeepLinkPageJson }) {
  const { page, frame } = usePage();
  const t = useMessages('app-link');
  const download = useMessages('download');
  const chrome = useMessages('chrome');
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
            {chrome('site-name')}
          </p>
          <h1 className={styles.title}>{t(`${kind}.title`)}</h1>
          <p className={styles.text}>{t(`${kind}.text`)}</p>
          <p className={styles.ways}>
            <a
              href={oneLink || href(pathTo('download'))}
              className={buttonClass('primary', 'large')}
              data-document=""
              aria-busy={state === 'trying' || undefined}
              onClick={(event) => {
                // A PC has no app to open: there the link leads on as it stands.
                if (device === undefined || device === 'other') return;
                event.preventDefault();
                start();
              }}
            >
              {t('open')}
            </a>
            {target ? (
              <a href={target} className={textLinkClass}>
                {t('read')}
                <Icon name="arrow-forward" />
              </a>
            ) : (
              <SiteLink to={pathTo('home')} className={textLinkClass}>
                {t('site')}
                <Icon name="arrow-forward" />
              </SiteLink>
            )}
          </p>
          <p role="status" className={styles.state}>
            {state !== 'idle' && t(`state.${state}`)}
          </p>
          <h2 className={styles.get}>{t('get')}</h2>
          <StoreLinks />
          {code && <QrDrawing text={code} label={download('qr')} caption={download('qr.scan')} />}
          <p className={styles.risk}>{chrome('risk')}</p>
        </div>
        <AppScreen screen={kind === 'marketing' ? 'order' : 'list'} className={styles.phone} />
      </Section>
    </Section>
  );
}
