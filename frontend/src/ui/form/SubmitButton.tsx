import type { ReactNode } from 'react';
import { buttonClass } from '~/ui/button';

/** The button that submits a form; `busy` while it is being sent. */
export function SubmitButton({ busy, children }: { busy: boolean; children: ReactNode }) {
  return (
    <button type="submit" className={buttonClass('primary', 'large')} aria-busy={busy || undefined}>
      {children}
    </button>
  );
}
