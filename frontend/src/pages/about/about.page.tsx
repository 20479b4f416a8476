import type { ReactNode } from 'react';
import { ContactWays } from '~/features/contact/ContactWays';
import { FEEDBACK_PATH } from '~/features/help/paths';
import type { AboutPageJson } from '~/gen/sahm/page/v1/company_pb';
import { CAPITAL_SAR, COMPLAINT_BUSINESS_DAYS, factsOf, LICENCE_NUMBER } from '~/lib/company';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { usePage } from '~/lib/page/page';
import { ArrowHead } from '~/ui/ArrowHead';
import { buttonClass } from '~/ui/button';
import chips from '~/ui/chips.module.css';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { Money } from '~/ui/Money';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import sections from '~/ui/sections.module.css';
import { TextLink } from '~/ui/TextLink';
import { NightEdge } from '~/ui/TriangleRow';
import styles from './AboutPage.module.css';
import { CapitalBar } from './CapitalBar';
import { TEAM } from './chart';
import { OrganizationChart } from './OrganizationChart';

/** Sections that the header and the footer link to. */
const PLACES = ['licence', 'organization-chart', 'management-team', 'contact-us'] as const;

/** `/about`: the company, its licence and capital, its organisation, contact details. */
function AboutPage(_: { document: AboutPageJson }) {
  const t = useMessages('about');
  return (
    <>
      <Section as="div" night className={sections.hero}>
        <Section as="header" className={styles.hero}>
          <ArrowHead />
          <h1 className={`${headings.large} ${styles.title}`}>{t('title')}</h1>
          <p className={sections.text}>{t('standfirst')}</p>
          <nav aria-label={t('places')}>
            <ul className={chips.chips}>
              {PLACES.map((place) => (
                <li key={place}>
                  <a href={`#${place}`} className={chips.chip}>
                    {t(`place.${place}`)}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <KingdomMap />
        </Section>
      </Section>
      <NightEdge />
      <Principles />
      <History />
      <Licence />
      <Place id="organization-chart" text={t('chart.text')}>
        <OrganizationChart />
      </Place>
      <Place id="management-team" text={t('team.text')} sunk>
        <Team />
      </Place>
      <Contact />
    </>
  );
}

function Place({
  id,
  text,
  sunk = false,
  children,
}: {
  id: (typeof PLACES)[number];
  text: ReactNode;
  sunk?: boolean;
  children: ReactNode;
}) {
  const t = useMessages('about');
  return (
    <section
      id={id}
      className={sunk ? `${styles.section} ${sections.band}` : styles.section}
      aria-labelledby={`${id}-title`}
    >
      <Section as="div">
        <div className={styles.head}>
          <h2 id={`${id}-title`} className={headings.medium}>
            {t(`place.${id}`)}
          </h2>
          <p className={styles.text}>{text}</p>
        </div>
        {children}
      </Section>
    </section>
  );
}

function Principles() {
  const t = useMessages('about');
  return (
    <Section className={styles.principles} aria-labelledby="principles">
      <h2 id="principles" className={`${headings.medium} ${styles.statement}`}>
        {t('principles')}
      </h2>
      <ol>
        {(['cost', 'risk', 'words'] as const).map((name) => (
          <li key={name} className={styles.principle}>
            <h3 className={styles.name}>{t(`principle.${name}`)}</h3>
            <p>{t(`principle.${name}.text`)}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Licence() {
  const t = useMessages('about');
  const common = useMessages('common');
  return (
    <Place id="licence" text={t('licence.text')} sunk>
      <div className={styles.facts}>
        <div className={styles.fact}>
          <h3 className={styles.factName}>{t('licence.number')}</h3>
          <p className={styles.figure}>
            <bdi>{LICENCE_NUMBER}</bdi>
          </p>
          <p className={styles.note}>{t('licence.note')}</p>
          <a href="https://cma.gov.sa/" target="_blank" rel="noopener" className={links.text}>
            {t('licence.check')}
            <span className="visually-hidden"> {common('new-tab')}</span>
            <Icon name="external" />
          </a>
        </div>
        <div className={styles.fact}>
          <h3 className={styles.factName}>{t('capital')}</h3>
          <p className={styles.figure}>
            <Money value={CAPITAL_SAR} currency="SAR" minDecimals={0} maxDecimals={0} />
          </p>
          <p className={styles.note}>{t('capital.note')}</p>
          <CapitalBar />
        </div>
      </div>
      <p className={styles.legal}>
        <TextLink to={pathTo('terms', { id: 'service-agreement' })}>
          {t('legal.agreement')}
        </TextLink>
        <TextLink to={pathTo('terms', { id: 'disclaimer' })}>{t('legal.disclaimer')}</TextLink>
      </p>
    </Place>
  );
}

/** The offices of the management team, with their holders from config. */
function Team() {
  const { facts: people, note } = factsOf(usePage().frame.layoutData, 'management-team');
  const t = useMessages('about');
  const others = people.filter(({ key }) => !TEAM.some((unit) => unit === key));
  const offices = [
    ...others.map(({ key, name, description }) => ({
      key,
      title: description,
      holder: name,
      duty: undefined,
    })),
    ...TEAM.map((unit) => {
      const { name, description } = people.find(({ key }) => key === unit) ?? {};
      // In Arabic, the title of a holder depends on the person's gender.
      const title = description || t(`role.${unit}`);
      return { key: unit, title, holder: name, duty: t(`duty.${unit}`) };
    }),
  ];
  return (
    <>
      <ul className={styles.team}>
        {offices.map(({ key, title, holder, duty }) => (
          <li key={key} className={styles.office}>
            {holder && (
              <span className={styles.monogram} aria-hidden="true">
                {holder.charAt(0)}
              </span>
            )}
            <div>
              <h3 className={styles.name}>{holder || title}</h3>
              {holder && <p className={styles.role}>{title}</p>}
              {duty && <p className={styles.duty}>{duty}</p>}
            </div>
          </li>
        ))}
      </ul>
      {note && <p className={styles.samples}>{note}</p>}
    </>
  );
}

/** The company's history from config. */
function History() {
  const { facts: events, note } = factsOf(usePage().frame.layoutData, 'about-us');
  const t = useMessages('about');
  if (events.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="history-title">
      <Section as="div">
        <h2 id="history-title" className={headings.medium}>
          {t('history.title')}
        </h2>
        <ol className={styles.history}>
          {events.map(({ key, name, description }) => (
            <li key={key} className={styles.event}>
              <span className={styles.year}>{name}</span>
              {description}
            </li>
          ))}
        </ol>
        {note && <p className={styles.samples}>{note}</p>}
      </Section>
    </section>
  );
}

function Contact() {
  const { address, addressUrl } = usePage().frame.layoutData ?? {};
  const t = useMessages('about');
  const common = useMessages('common');
  return (
    <section id="contact-us" className={styles.section} aria-labelledby="contact-us-title">
      <Section as="div" className={styles.contact}>
        <div>
          <h2 id="contact-us-title" className={headings.medium}>
            {t('place.contact-us')}
          </h2>
          <p className={styles.text}>{t('contact.text', { days: COMPLAINT_BUSINESS_DAYS })}</p>
          <p className={`${rows.actions} ${styles.ways}`}>
            <SiteLink to={FEEDBACK_PATH} className={buttonClass('primary')}>
              {t('contact.feedback')}
            </SiteLink>
            <TextLink to={pathTo('support')}>{t('contact.help')}</TextLink>
          </p>
          {address && (
            <address className={styles.address}>
              <a href={addressUrl} target="_blank" rel="noopener">
                {address}
                <span className={styles.map}>
                  {t('contact.map')} <span className="visually-hidden">{common('new-tab')}</span>
                </span>
              </a>
            </address>
          )}
        </div>
        <ContactWays />
      </Section>
    </section>
  );
}

/** Saudi Arabia with a pin at Riyadh. Decorative: the text beside it names the city. */
function KingdomMap() {
  return (
    <svg className={styles.kingdom} viewBox="0 0 292 242" aria-hidden="true">
      <path d={BORDER} />
      <circle className={styles.halo} cx="167" cy="114" r="16" />
      <circle className={styles.city} cx="167" cy="114" r="7" />
    </svg>
  );
}

/** The border from Natural Earth's 1:110m data, 15 units per degree of latitude. */
const BORDER =
  'M113 239l-1-6l-5-5l-1-6l-7-5l-7-13l-4-12l-9-10l-6-3l-9-14l-2-10l1-9l-8-17l-7-6l-7-3l-5-8l1-4l-4-8l-4-3l-5-11l-8-12l-7-10l-7 0l2-9l1-5l1-6l15 3l6-5l4-5l10-3l2-5l5-2l-14-15l28-8l2-2l17 4l20 11l39 30l25 1l12 1l4 8l10-1l5 13l7 4l2 5l9 6l1 6l-1 5l2 5l3 5l2 5l2 3l5 3l3-1l3 6l0 3l6 15l41 8l3-3l6 10l-9 31l-41 14l-40 6l-13 7l-9 16l-7 2l-3-5l-5 1l-14-2l-2-1l-16 0l-4 2l-5-4l-4 7l1 6z';

export default definePage({ Component: AboutPage, messages: ['about'] });
