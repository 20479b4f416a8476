import { type ComponentType, useEffect, useState } from 'react';
import { loadMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { isHostApp, wasDismissed } from './host-apps';

/** Shows the guide once in another app's browser; its code is loaded only there. */
export function InAppGuide() {
  const { locale } = usePage();
  const [Guide, setGuide] = useState<ComponentType>();
  useEffect(() => {
    if (!isHostApp(navigator.userAgent) || wasDismissed()) return;
    Promise.all([
      import('./Guide'),
      loadMessages(locale, 'guide'),
      loadMessages(locale, 'share'),
    ]).then(
      ([module]) => setGuide(() => module.Guide),
      () => {},
    );
  }, [locale]);
  return Guide ? <Guide /> : null;
}
