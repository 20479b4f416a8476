import { useEffect, useId, useRef, useState } from 'react';
import { hasNative, native } from '~/lib/bridge/bridge';
import { useMessages } from '~/lib/messages/messages';
import { buttonClass } from '~/ui/button';
import { Dialog } from '~/ui/Dialog';
import { Icon } from '~/ui/Icon';
import { QrCode } from '~/ui/qr/QrCode';
import { CopyLink } from './CopyLink';
import { CHANNEL_BUTTONS, channelHref, type ShareChannel, type ShareSubject } from './channels';
import styles from './SharePanel.module.css';
import { useShared } from './useShared';

/** What is shared: a page of the news or of the education section. */
export interface ShareProps {
  subject: ShareSubject;
  title: string;
  /** Text or HTML, shortened to 80 characters. */
  description: string;
}

const FURTHER_CHANNELS = ['SINA', 'QQ'] as const satisfies readonly ShareChannel[];

/**
 * The panel of share channels, open while mounted. In the app the native share sheet replaces it.
 */
export function SharePanel({
  subject,
  title,
  description,
  onClose,
}: ShareProps & { onClose(): void }) {
  const t = useMessages('share');
  const id = useId();
  const { sharedFor, bySystem } = useShared(subject, title, description);
  const [open, setOpen] = useState(() => !hasNative(window));
  const first = useRef({ sharedFor, onClose });
  useEffect(() => {
    if (!hasNative(window)) return;
    const { sharedFor, onClose } = first.current;
    native(window, 'share', sharedFor('HSTONG')).then((done) => (done ? onClose() : setOpen(true)));
  }, []);
  return (
    <Dialog open={open} className={styles.dialog} aria-labelledby={id} onClose={onClose}>
      <div className={styles.sheet}>
        <div className={styles.head}>
          <p id={id} className={styles.title}>
            {t('title')}
          </p>
          <form method="dialog">
            <button type="submit" className={styles.close}>
              <Icon name="close" />
              <span className="visually-hidden">{t('close')}</span>
            </button>
          </form>
        </div>
        <p className={styles.what}>{title}</p>
        <ul className={styles.channels}>
          {CHANNEL_BUTTONS.map(({ channel, icon }) => (
            <li key={channel}>
              <a
                href={channelHref(channel, sharedFor(channel))}
                target="_blank"
                rel="noopener"
                className={styles.channel}
              >
                <Icon name={icon} className={styles.icon} />
                {t(`channel.${channel}`)}
                <span className="visually-hidden"> {t('new-tab')}</span>
              </a>
            </li>
          ))}
        </ul>
        <CopyLink url={sharedFor().url} />
        {bySystem && (
          <button type="button" className={buttonClass('quiet')} onClick={bySystem}>
            {t('system')}
          </button>
        )}
        <details>
          <summary className={styles.summary}>
            {t('more')}
            <Icon name="chevron-down" />
          </summary>
          <div className={styles.others}>
            <ul>
              {FURTHER_CHANNELS.map((channel) => (
                <li key={channel}>
                  <a
                    href={channelHref(channel, sharedFor(channel))}
                    target="_blank"
                    rel="noopener"
                    className={styles.link}
                  >
                    {t(`channel.${channel}`)}
                    <span className="visually-hidden"> {t('new-tab')}</span>
                  </a>
                </li>
              ))}
            </ul>
            {/* WeChat has no share address; its users scan a QR code. */}
            <QrCode text={sharedFor('WEIXIN').url} label={t('scan.label')} caption={t('scan')}>
              {null}
            </QrCode>
          </div>
        </details>
      </div>
    </Dialog>
  );
}
