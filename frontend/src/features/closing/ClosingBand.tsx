import { late } from '~/lib/page/late';
import { usePage } from '~/lib/page/page';

const AccountInvitation = late(['closing'], () =>
  import('./AccountInvitation').then((part) => part.AccountInvitation),
);

/** The end of a page for readers on the web: one sentence, the way to an account, the app's code. */
export function ClosingBand() {
  const { platform } = usePage();
  return platform === 'app' ? null : <AccountInvitation />;
}
