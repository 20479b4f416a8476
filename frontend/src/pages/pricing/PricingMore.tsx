import { documentPath } from '~/features/help/paths';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import { Section } from '~/ui/Section';
import { FeeTables } from './FeeTables';
import { Margin } from './Margin';
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
