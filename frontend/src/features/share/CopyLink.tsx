import { useEffect, useId, useRef, useState } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { buttonClass } from '~/ui/button';
import { Icon } from '~/ui/Icon';
import styles from './CopyLink.module.css';

/** How long the confirmation is shown. */
const CONFIRMATION_MS = 4_000;

/** The address in a field with a copy button. */
export function CopyLink({ url }: { url: string }) {
  const t = useMessages('share');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      setState('copied');
    } catch {
      // The clipboard is not available: the address is selected for manual copying.
      field.current?.select();
      setState('failed');
    }
  }
  return (
    <div className={styles.copy}>
      <label htmlFor={id} className="visually-hidden">
        {t('link')}
      </label>
      <input ref={field} id={id} className={styles.field} readOnly dir="ltr" value={url} />
      <button type="button" className={`${buttonClass('primary')} ${styles.button}`} onClick={copy}>
        <Icon name={state === 'copied' ? 'check' : 'link'} />
        {t(state === 'copied' ? 'copied' : 'copy')}
      </button>
      <p role="status" className={state === 'failed' ? styles.said : 'visually-hidden'}>
        {state === 'copied' && t('copied.said')}
        {state === 'failed' && t('copied.failed')}
      </p>
    </div>
  );
}
