import { decimal, times, toCents, toText } from '~/features/fees/decimal';
import { documentPath } from '~/features/help/paths';
import { MarginDiagram } from '~/features/products/MarginDiagram';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { formatPercent } from '~/lib/format/format';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import headings from '~/ui/headings.module.css';
import { Money } from '~/ui/Money';
import { Section } from '~/ui/Section';
import { FeeTables } from './FeeTables';
import styles from './FeeTables.module.css';
import page from './PricingPage.module.css';

/** All fees as a table, margin, options, and how fees are calculated. */
export function PricingMore({ schedule }: { schedule: FeeScheduleJson }) {
  return (
    <>
      <FeeTables schedule={schedule} />
      <Margin schedule={schedule} />
      <Notes />
    </>
  );
}

function Notes() {
  const t = useMessages('pricing-tables');
  return (
    <Section className={page.section} aria-labelledby="notes">
      <h2 id="notes" className={`${headings.small} ${page.title}`}>
        {t('notes.title')}
      </h2>
      <ul className={page.notes}>
        {(['1', '2', '3', '4'] as const).map((n) => (
          <li key={n}>{t(`notes.${n}`)}</li>
        ))}
        <li>
          {t.rich('notes.others', {
            conversion: (
              <SiteLink to={documentPath({ slug: 'riyal-and-dollar' })}>
                {t('notes.conversion')}
              </SiteLink>
            ),
          })}
        </li>
      </ul>
    </Section>
  );
}

/** An example loan in thousands of riyals for one month. */
const THOUSANDS = '10';

/** The cost of borrowing for US shares, and its effect. */
function Margin({ schedule: { us = {} } }: { schedule: FeeScheduleJson }) {
  const { locale } = usePage();
  const t = useMessages('pricing-tables');
  const { marginMaxLeverage, marginAnnualRate, marginMonthlyPerThousand } = us;
  if (!marginMaxLeverage || !marginAnnualRate || !marginMonthlyPerThousand) return null;
  const month = toCents(times(decimal(marginMonthlyPerThousand), decimal(THOUSANDS)));
  const facts = [
    [t('margin.leverage'), `1:${marginMaxLeverage}`, t('margin.leverage.note')],
    [t('margin.rate'), formatPercent(locale, marginAnnualRate), t('margin.rate.note')],
    [
      t('margin.month'),
      <Money key="month" value={marginMonthlyPerThousand} currency="SAR" />,
      t.rich('margin.month.note', {
        thousand: <Money value="1000" currency="SAR" minDecimals={0} />,
      }),
    ],
  ] as const;
  return (
    <Section id="margin" className={page.section} aria-labelledby="margin-title">
      <div className={page.columns}>
        <div>
          <h2 id="margin-title" className={`${headings.small} ${page.title}`}>
            {t('margin.title')}
          </h2>
          <p className={page.text}>{t('margin.text')}</p>
          <dl className={styles.facts}>
            {facts.map(([name, value, note]) => (
              <div key={name} className={styles.fact}>
                <dt>{name}</dt>
                <dd>
                  <bdi className={styles.value}>{value}</bdi>
                  <span className={styles.note}>{note}</span>
                </dd>
              </div>
            ))}
          </dl>
          <p className={page.text}>
            {t.rich('margin.example', {
              debt: <Money value={`${THOUSANDS}000`} currency="SAR" minDecimals={0} />,
              month: <Money value={toText(month)} currency="SAR" minDecimals={0} maxDecimals={0} />,
            })}
          </p>
        </div>
        <MarginDiagram leverage={Number(marginMaxLeverage)} currency="SAR" />
      </div>
    </Section>
  );
}
