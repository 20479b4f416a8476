import { pathTo } from '~/lib/links/path-to';
import { hrefIn } from '~/lib/links/paths';
import type { Locale } from '~/lib/locale';
import { translator } from '~/lib/messages/messages';
import { Section } from '~/ui/Section';
import styles from './BareError.module.css';

/** The last resort if even the error page cannot be shown: a message and a link to home. */
export function BareError({ locale }: { locale: Locale }) {
  const t = translator(locale, 'common');
  return (
    <Section as="div" className={styles.bare}>
      <div role="alert">
        <h1>{t('failure.service')}</h1>
      </div>
      <a href={hrefIn(locale, pathTo('home'))} data-document="">
        {t('site-name')}
      </a>
    </Section>
  );
}
