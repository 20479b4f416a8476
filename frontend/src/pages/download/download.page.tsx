import { StoreLinks } from '~/features/app-launch/StoreLinks';
import { AppScreen } from '~/features/app-screens/AppScreen';
import type { DownloadPageJson } from '~/gen/sahm/page/v1/company_pb';
import { pathTo } from '~/lib/links/path-to';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { lazyHydrate } from '~/lib/page/lazy-hydrate';
import { usePage } from '~/lib/page/page';
import headings from '~/ui/headings.module.css';
import { Icon, type IconName } from '~/ui/Icon';
import { QrDrawing } from '~/ui/qr/QrDrawing';
import { Section } from '~/ui/Section';
import sections from '~/ui/sections.module.css';
import { TextLink } from '~/ui/TextLink';
import { NightEdge } from '~/ui/TriangleRow';
import styles from './DownloadPage.module.css';

const AccountStep = lazyHydrate(['open-account'], () =>
  import('./AccountStep').then((part) => part.AccountStep),
);

/** `/download`, and `/download/index_v1`, the short version for campaigns. */
function DownloadPage({ document }: { document: DownloadPageJson }) {
  const { page } = usePage();
  const isShort = page === 'download-index_v1';
  return (
    <>
      <Hero oneLink={document.oneLink} short={isShort} />
      <NightEdge />
      {!isShort && <Tour />}
      <Safety sunk={!isShort} />
    </>
  );
}

function Hero({ oneLink, short }: { oneLink: string | undefined; short: boolean }) {
  const { frame, url } = usePage();
  const t = useMessages('download');
  const scene = new URLSearchParams(url.split('?', 2)[1]).get('sceneFrom');
  const code = oneLink || frame.head?.canonical || '';
  return (
    <Section as="div" night>
      <Section as="div" className={styles.hero}>
        <div className={styles.words}>
          <h1 className={`${headings.large} ${styles.title}`}>
            {t(short ? 'short.title' : 'title')}
          </h1>
          <p className={styles.standfirst}>{t(short ? 'short.text' : 'text')}</p>
          {scene && <AccountStep isOpened={scene === 'SahmWebsite_myAccount'} />}
          <StoreLinks />
          {code && <QrDrawing text={code} label={t('qr')} caption={t('qr.scan')} />}
        </div>
        <div className={styles.phones}>
          <AppScreen screen="portfolio" className={styles.front} />
          {!short && <AppScreen screen="learn" className={styles.behind} />}
        </div>
      </Section>
    </Section>
  );
}

function Tour() {
  const t = useMessages('download');
  return (
    <Section className={sections.large} aria-labelledby="tour">
      <h2 id="tour" className={`${headings.medium} ${styles.heading}`}>
        {t('tour')}
      </h2>
      <ul className={styles.stops}>
        {(['list', 'order', 'learn'] as const).map((screen) => (
          <li key={screen} className={styles.stop}>
            <div className={styles.stage}>
              <AppScreen screen={screen} />
            </div>
            <h3 className={styles.name}>{t(`tour.${screen}`)}</h3>
            <p className={styles.text}>{t(`tour.${screen}.text`)}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const RULES: readonly { name: 'store' | 'file' | 'code'; icon: IconName }[] = [
  { name: 'store', icon: 'download' },
  { name: 'file', icon: 'shield' },
  { name: 'code', icon: 'phone' },
];

function Safety({ sunk }: { sunk: boolean }) {
  const t = useMessages('download');
  return (
    <section
      className={sunk ? `${sections.large} ${sections.band}` : sections.large}
      aria-labelledby="safety"
    >
      <Section as="div" className={styles.columns}>
        <div>
          <h2 id="safety" className={`${headings.medium} ${styles.heading}`}>
            {t('safety')}
          </h2>
          <TextLink to={pathTo('support-detail', { articleId: 'get-the-app' })}>
            {t('safety.more')}
          </TextLink>
        </div>
        <ul>
          {RULES.map(({ name, icon }) => (
            <li key={name} className={styles.rule}>
              <Icon name={icon} className={styles.icon} />
              <div>
                <h3 className={styles.ruleName}>{t(`safety.${name}`)}</h3>
                <p className={styles.text}>{t(`safety.${name}.text`)}</p>
              </div>
            </li>
          ))}
        </ul>
      </Section>
    </section>
  );
}

export default definePage({ Component: DownloadPage, messages: ['download', 'quotes'] });
