import { useSyncExternalStore } from 'react';
import { usePage } from '~/lib/page/page';
import { pidIn, sharedUrl } from './attribution';
import { campaignOf, type ShareChannel, type Shared, type ShareSubject } from './channels';
import { shareText } from './description';

/** `_pid` of visitors whom no campaign brought. */
const OWN_PID = 'sahm_web';

const never = () => () => {};

/** What is handed to each channel, and the ways that only some browsers have. */
export function useShared(subject: ShareSubject, title: string, description: string) {
  const { frame, url } = usePage();
  // The cookie of the campaign is the server's; a stored page knows nothing of it.
  const pid = useSyncExternalStore(
    never,
    () => pidIn(document.cookie),
    () => '',
  );
  const canShare = useSyncExternalStore(
    never,
    () => 'share' in navigator,
    () => false,
  );
  const text = shareText(description);
  const address = frame.head?.canonical || url;
  const of = (channel?: ShareChannel): Shared => ({
    url: sharedUrl(address, { pid: pid || OWN_PID, scnl: campaignOf(subject, channel) }),
    title,
    text,
  });
  // Giving up on the system's panel is no failure.
  const bySystem = () => void navigator.share(of()).catch(() => {});
  return {
    of,
    bySystem: canShare ? bySystem : undefined,
    byApp: undefined as (() => void) | undefined,
  };
}
