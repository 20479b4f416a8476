import { OpenAccount } from '~/features/account/OpenAccount';
import type { DaySeriesJson } from '~/gen/sahm/quotes/v1/markets_pb';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { LICENCE_NUMBER } from '~/lib/company';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { ArrowHead } from '~/ui/ArrowHead';
import { buttonClass } from '~/ui/button';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import sections from '~/ui/sections.module.css';
import { NightEdge } from '~/ui/TriangleRow';
import styles from './Hero.module.css';
import { Phone } from './Phone';

/** The headline, one action, and a picture of the app with live prices. */
export function Hero({
  quotes,
  series,
}: {
  quotes: readonly QuoteJson[];
  series: readonly DaySeriesJson[];
}) {
  const t = useMessages('home');
  const common = useMessages('common');
  return (
    <div>
      <Section night className={styles.hero}>
        <Section as="div" className={styles.inner}>
          <ArrowHead />
          <div className={styles.words}>
            <h1 className={headings.large}>{t('hero.title')}</h1>
            <p className={sections.lead}>{t('hero.text')}</p>
            <p className={rows.actions}>
              <OpenAccount
                className={buttonClass('primary', 'large')}
                opened={
                  <SiteLink to={pathTo('download')} className={buttonClass('primary', 'large')}>
                    {common('download-app')}
                  </SiteLink>
                }
              />
              <a href="#fees" className={links.large}>
                {t('hero.fees')}
                <Icon name="arrow-forward" />
              </a>
            </p>
            <p className={styles.risk}>
              <span className={styles.regulator}>
                {t.rich('hero.regulator', { licence: <bdi>{LICENCE_NUMBER}</bdi> })}
              </span>
              {t('hero.risk')}
            </p>
          </div>
          <Phone quotes={quotes} series={series} />
        </Section>
      </Section>
      <NightEdge />
    </div>
  );
}
