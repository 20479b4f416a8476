import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { CopyLink } from '~/features/share/CopyLink';
import { CHANNEL_BUTTONS, channelHref, type ShareChannel } from '~/features/share/channels';
import { createShortChain, getShareValue, type ResultOf } from '~/gen/operations';
import { apiErrorOf, errorText, post } from '~/lib/api';
import { hasNative, native } from '~/lib/bridge/bridge';
import { openPendingTab } from '~/lib/links/pending-tab';
import type { Locale } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { showToast } from '~/lib/toasts';
import { buttonClass } from '~/ui/button';
import { Icon } from '~/ui/Icon';
import secondary from '~/ui/secondary.module.css';
import styles from './Sections.module.css';

/** A member's invitation code, with a link for each channel, so that joins are attributed to it. */
export function Invite({
  activityId,
  title,
  onSessionEnded,
}: {
  activityId: string;
  title: string;
  onSessionEnded(): Promise<void>;
}) {
  const { locale } = usePage();
  const t = useMessages('activity');
  const share = useMessages('share');
  const common = useMessages('common');
  const [link, setLink] = useState<ResultOf<typeof createShortChain>>();
  const [busy, setBusy] = useState(false);
  const code = useRef<HTMLParagraphElement>(null);

  async function run(work: () => Promise<void>) {
    if (busy) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      const failure = apiErrorOf(error);
      if (failure.kind === 'login') await onSessionEnded();
      else showToast(errorText(failure, locale));
    } finally {
      setBusy(false);
    }
  }

  const show = () =>
    run(async () => {
      const made = await linkFor('cms_others', activityId, locale);
      // The button that requested the link is removed.
      flushSync(() => setLink(made));
      code.current?.focus();
    });

  function shareBy(channel: ShareChannel) {
    if (busy) return;
    const tab = hasNative(window) ? undefined : openPendingTab(common('loading'));
    run(async () => {
      try {
        const [{ url }, { text }] = await Promise.all([
          linkFor(channel, activityId, locale),
          post(getShareValue, { channel }, { locale }),
        ]);
        const shared = { url, title, text };
        if (!tab && (await native(window, 'share', shared))) return;
        const href = channelHref(channel, shared) ?? url;
        if (tab) tab.show(href);
        else window.location.assign(href);
      } catch (error) {
        tab?.close();
        throw error;
      }
    });
  }

  return (
    <div className={styles.invite}>
      {link ? (
        <>
          <p className={secondary.text}>{t('invite.code')}</p>
          <p ref={code} tabIndex={-1} className={styles.code}>
            <bdi dir="ltr">{link.inviteCode}</bdi>
          </p>
          <CopyLink url={link.url} />
        </>
      ) : (
        <p>
          <button
            type="button"
            className={buttonClass('primary')}
            aria-busy={busy || undefined}
            onClick={show}
          >
            <Icon name="link" />
            {t('invite.make')}
          </button>
        </p>
      )}
      <ul className={styles.channels} aria-label={share('title')}>
        {CHANNEL_BUTTONS.map(({ channel, icon }) => (
          <li key={channel}>
            <button type="button" className={buttonClass('quiet')} onClick={() => shareBy(channel)}>
              <Icon name={icon} />
              {share(`channel.${channel}`)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function linkFor(
  channel: string,
  activityId: string,
  locale: Locale,
): Promise<ResultOf<typeof createShortChain>> {
  return post(createShortChain, { activityId, channel }, { locale });
}
