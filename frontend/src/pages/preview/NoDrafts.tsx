import reading from '~/features/reading/reading.module.css';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import { Section } from '~/ui/Section';

/** The page of a type without drafts. */
export function NoDrafts({ type }: { type: string }) {
  const t = useMessages('preview');
  return (
    <Section as="div" className={reading.page}>
      <div className={reading.head}>
        <h1 className={reading.title}>
          {t.rich('none', {
            type: <bdi dir="ltr">{type}</bdi>,
          })}
        </h1>
        <p className={headings.standfirst}>{t('none.hint')}</p>
        <p>
          <code dir="ltr">sahm-content import --draft …/{type}</code>
        </p>
      </div>
    </Section>
  );
}
