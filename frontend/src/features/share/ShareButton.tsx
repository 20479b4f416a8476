import { type ComponentType, useState } from 'react';
import { importOnInteraction } from '~/lib/import-on-interaction';
import { loadMessages, useMessages } from '~/lib/messages/messages';
import { useIsDraft, usePage } from '~/lib/page/page';
import { Icon } from '~/ui/Icon';
import pill from '~/ui/pill.module.css';
import type { ShareProps } from './SharePanel';

type Panel = ComponentType<ShareProps & { onClose(): void }>;

/**
 * Shares the page. The panel is loaded on first use. Without scripts there is no button: the
 * browser's own sharing works.
 */
export function ShareButton(props: ShareProps) {
  const { locale } = usePage();
  const t = useMessages('reading');
  const isDraft = useIsDraft();
  const [panel, setPanel] = useState<{ Panel: Panel }>();

  async function load() {
    const [{ SharePanel }] = await Promise.all([
      import('./SharePanel'),
      loadMessages(locale, 'share'),
    ]);
    return SharePanel;
  }
  async function open() {
    const Panel = await importOnInteraction(locale, load);
    if (Panel) setPanel({ Panel });
  }
  // A failure is handled when the button is pressed.
  const preload = () => void load().catch(() => {});
  return (
    <>
      <button
        type="button"
        className={`${pill.pill} screen-only`}
        disabled={isDraft}
        aria-haspopup="dialog"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={open}
      >
        <Icon name="share" />
        {t('share')}
      </button>
      {panel && <panel.Panel {...props} onClose={() => setPanel(undefined)} />}
    </>
  );
}
