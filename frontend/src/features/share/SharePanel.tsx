import { useEffect, useId, useRef } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { buttonClass } from '~/ui/button';
import { Icon } from '~/ui/Icon';
import { CopyLink } from './CopyLink';
import { channelHref, type ShareChannel, type ShareSubject } from './channels';
import { ScanCode } from './ScanCode';
import styles from './SharePanel.module.css';
import { useShared } from './useShared';

const FIRST = [
  { channel: 'WHATSAPP', icon: 'whatsapp' },
  { channel: 'TWITTER', icon: 'x' },
  { channel: 'FACEBOOK', icon: 'facebook' },
] as const;
const MORE = ['SINA', 'QQ'] as const satisfies readonly ShareChannel[];

/**
 * Shares the page: a button and a panel of channels (specification §3). The panel opens and its
 * links work without scripts; the system's own sharing and the code to scan come with them. In the
 * app the button hands over to the app.
 */
export function SharePanel({
  subject,
  title,
  description,
}: {
  subject: ShareSubject;
  title: string;
  /** Text or HTML: shortened to 80 characters. */
  description: string;
}) {
  const t = useMessages('share');
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { of, bySystem, byApp } = useShared(subject, title, description);
  useEffect(() => {
    const element = dialog.current;
    // A press on the backdrop is one on the dialog itself.
    const onClick = ({ target }: MouseEvent) => {
      if (target === element) element?.close();
    };
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, []);

  if (byApp) {
    return (
      <button type="button" className={styles.open} onClick={byApp}>
        <Icon name="share" />
        {t('open')}
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        className={styles.open}
        aria-haspopup="dialog"
        onClick={() => {
          if (!('commandForElement' in HTMLButtonElement.prototype)) dialog.current?.showModal();
        }}
        {...{ command: 'show-modal', commandfor: id }}
      >
        <Icon name="share" />
        {t('open')}
      </button>
      <dialog ref={dialog} id={id} className={styles.dialog} aria-labelledby={`${id}-title`}>
        <div className={styles.sheet}>
          <div className={styles.head}>
            <p id={`${id}-title`} className={styles.title}>
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
            {FIRST.map(({ channel, icon }) => (
              <li key={channel}>
                <a
                  href={channelHref(channel, of(channel))}
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
          <CopyLink url={of().url} />
          {bySystem && (
            <button type="button" className={buttonClass('quiet')} onClick={bySystem}>
              {t('system')}
            </button>
          )}
          <details className={styles.more}>
            <summary className={styles.summary}>
              {t('more')}
              <Icon name="chevron-down" className={styles.chevron} />
            </summary>
            <div className={styles.others}>
              <ul className={styles.links}>
                {MORE.map((channel) => (
                  <li key={channel}>
                    <a
                      href={channelHref(channel, of(channel))}
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
              <ScanCode url={of('WEIXIN').url} />
            </div>
          </details>
        </div>
      </dialog>
    </>
  );
}
