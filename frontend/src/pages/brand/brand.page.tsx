import type { BrandPageJson } from '~/gen/sahm/page/v1/company_pb';
import { CAPITAL_SAR } from '~/lib/company';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import { Mark } from '~/ui/Mark';
import { Money } from '~/ui/Money';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import secondary from '~/ui/secondary.module.css';
import sections from '~/ui/sections.module.css';
import { NightEdge } from '~/ui/TriangleRow';
import styles from './BrandPage.module.css';
import { Construction, Uses } from './Drawings';
import { LOGO_FILES } from './files';

/** `/brand`: the logo's origin, its use and its files. */
function BrandPage(_: { document: BrandPageJson }) {
  const t = useMessages('brand');
  return (
    <>
      <Section as="div" night className={sections.hero}>
        <Section as="header" className={styles.hero}>
          <div className={styles.words}>
            <h1 className={`${headings.large} ${styles.title}`}>{t('title')}</h1>
            <p className={sections.lead}>{t('standfirst')}</p>
          </div>
          <Mark className={styles.mark} />
        </Section>
      </Section>
      <NightEdge />
      <Section className={sections.large} aria-labelledby="brand-mark">
        <Head id="brand-mark" title={t('mark.title')} text={t('mark.text')} />
        <Construction />
      </Section>
      <section className={`${sections.band} ${sections.large}`} aria-labelledby="brand-files">
        <Section as="div">
          <Head id="brand-files" title={t('files.title')} text={t('files.text')} />
          <Files />
        </Section>
      </section>
      <Section className={sections.large} aria-labelledby="brand-colours">
        <Head id="brand-colours" title={t('colours.title')} text={t('colours.text')} />
        <Colours />
      </Section>
      <Type />
      <Section className={sections.large} aria-labelledby="brand-use">
        <Head id="brand-use" title={t('use.title')} text={t('use.text')} />
        <Uses />
      </Section>
    </>
  );
}

function Head({ id, title, text }: { id: string; title: string; text: string }) {
  return (
    <div className={styles.head}>
      <h2 id={id} className={headings.medium}>
        {title}
      </h2>
      <p className={styles.text}>{text}</p>
    </div>
  );
}

function Files() {
  const t = useMessages('brand');
  return (
    <ul className={styles.grid}>
      {LOGO_FILES.map(({ name, label, width, ground }) => (
        <li key={name}>
          <span className={styles.ground} data-ground={ground}>
            <img src={`/${name}`} alt="" width={width * 2} height={64} loading="lazy" />
          </span>
          <a href={`/${name}`} download className={styles.download}>
            <Icon name="download" />
            {t(`file.${label}`)}
            <span className={styles.kind}>SVG</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Type() {
  const t = useMessages('brand');
  return (
    <section className={`${sections.band} ${sections.large}`} aria-labelledby="brand-type">
      <Section as="div">
        <Head id="brand-type" title={t('type.title')} text={t('type.text')} />
        <div className={styles.specimens}>
          <p lang="en" dir="ltr" className={styles.specimen}>
            Aa Gg Rr 0123456789
          </p>
          <p lang="ar" dir="rtl" className={styles.specimen}>
            أ ب س ه م ي لا
          </p>
        </div>
        <ol className={styles.scale}>
          {(['7', '6', '5', '4', '3', '2', '1'] as const).map((step) => (
            <li key={step} className={`${rows.apart} ${styles.step}`} data-step={step}>
              <span>{t(`type.${step}`)}</span>
              <Money value={CAPITAL_SAR} currency="SAR" minDecimals={0} />
            </li>
          ))}
        </ol>
      </Section>
    </section>
  );
}

/** The colours by name, with their values for other media. */
const COLOURS = [
  { name: 'night', hex: '#0B1529', large: true },
  { name: 'sand', hex: '#FBF8F2', large: true },
  { name: 'copper', hex: '#CF8640', large: true },
  { name: 'ink', hex: '#0E1B33', large: false },
  { name: 'dune', hex: '#F4EDE1', large: false },
  { name: 'palm', hex: '#A8926A', large: false },
  { name: 'dusk', hex: '#24406F', large: false },
  { name: 'gain', hex: '#0F7A57', large: false },
  { name: 'loss', hex: '#97182F', large: false },
] as const;

function Colours() {
  const t = useMessages('brand');
  return (
    <ul className={`${styles.grid} ${styles.colours}`}>
      {COLOURS.map(({ name, hex, large }) => (
        <li key={name} className={large ? styles.large : undefined}>
          <svg className={styles.swatch} aria-hidden="true">
            <rect width="100%" height="100%" fill={hex} />
          </svg>
          <p className={styles.colourName}>{t(`colour.${name}`)}</p>
          <p className={styles.hex}>
            <bdi dir="ltr">{hex}</bdi>
          </p>
          <p className={secondary.small}>{t(`colour.${name}.use`)}</p>
        </li>
      ))}
    </ul>
  );
}

export default definePage({ Component: BrandPage, messages: ['brand'] });
