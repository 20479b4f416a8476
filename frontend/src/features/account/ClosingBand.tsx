import { late } from '~/lib/page/late';

/** The end of a page for readers on the web: one sentence, the way to an account, the app's code. */
export const ClosingBand = late(['open-account'], () =>
  import('./AccountInvitation').then((part) => part.AccountInvitation),
);
