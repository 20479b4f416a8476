import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useAppAddress } from '~/lib/links/useAppAddress';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import headings from '~/ui/headings.module.css';
import { Mark } from '~/ui/Mark';
import { QrCode } from '~/ui/qr/QrCode';
import { Section } from '~/ui/Section';
import styles from './ClosingBand.module.css';
import { OpenAccount } from './OpenAccount';

/**
 * The call to action at the end of a page on the web: one sentence, a link to open an account, the
 * app's QR code.
 */
export function ClosingBand() {
  const t = useMessages('open-account');
  const common = useMessages('common');
  const appAddress = useAppAddress();
  const { platform } = usePage();
  if (platform === 'app') return null;
  return (
    <Section className={`${styles.band} screen-only`} aria-labelledby="closing">
      <Section as="div" night className={styles.panel}>
        <div className={styles.words}>
          <h2 id="closing" className={`${headings.medium} ${styles.title}`}>
            {t('closing.title')}
          </h2>
          <p className={styles.risk}>{common('risk')}</p>
          <OpenAccount
            className={`${buttonClass('primary', 'large')} ${styles.action}`}
            opened={
              <SiteLink
                to={pathTo('download')}
                className={`${buttonClass('primary', 'large')} ${styles.action}`}
              >
                {common('download-app')}
              </SiteLink>
            }
          />
        </div>
        <div className={styles.code}>
          <QrCode text={appAddress} label={t('closing.qr')} caption={t('closing.scan')}>
            <Mark />
          </QrCode>
        </div>
      </Section>
    </Section>
  );
}
