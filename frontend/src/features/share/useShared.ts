import { shareDataOf } from '~/lib/analytics/visit';
import { withQuery } from '~/lib/links/paths';
import { usePage } from '~/lib/page/page';
import { campaignOf, type ShareChannel, type Shared, type ShareSubject } from './channels';
import { shareText } from './description';

/** `_pid` of visitors without a campaign. */
const OWN_PID = 'sahm_web';

/**
 * What each channel receives: the page's canonical address with the visitor's `_pid` and the
 * channel's campaign. In the browser only.
 */
export function useShared(subject: ShareSubject, title: string, description: string) {
  const { frame } = usePage();
  const text = shareText(description);
  const address = frame.head?.canonical || window.location.href;
  const pid = shareDataOf(document.cookie)?.pid || OWN_PID;
  const sharedFor = (channel?: ShareChannel): Shared => ({
    url: sharedUrl(address, { pid, scnl: campaignOf(subject, channel) }),
    title,
    text,
  });
  // Cancelling the system's share sheet is not an error.
  const bySystem = () => void navigator.share(sharedFor()).catch(() => {});
  return { sharedFor, bySystem: 'share' in navigator ? bySystem : undefined };
}

const PARAMETERS = ['_pid', '_scnl', '_c'];

/** The address to share, with `_pid` and `_scnl` replaced. */
export function sharedUrl(url: string, { pid, scnl }: { pid: string; scnl: number }): string {
  return withQuery(url, PARAMETERS, [`_pid=${encodeURIComponent(pid)}`, `_scnl=${scnl}`]);
}
