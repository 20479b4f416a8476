import styles from './StoreSign.module.css';

/** Our own icons for the stores, whose logos we may not redraw. */
const SIGNS: Readonly<Record<string, string>> = {
  ios: 'M8 3h8a2 2 0 012 2v14a2 2 0 01-2 2H8a2 2 0 01-2-2V5a2 2 0 012-2zM10 5.5h4',
  android: 'M8 3h8a2 2 0 012 2v14a2 2 0 01-2 2H8a2 2 0 01-2-2V5a2 2 0 012-2zM12 5.5h.01M6 17.5h12',
  huawei: 'M6 8.5h12l-1 12H7zM9 8.5V7a3 3 0 016 0v1.5',
};

export function StoreSign({ store, className }: { store: string; className?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={[styles.sign, className].filter(Boolean).join(' ')}
      aria-hidden="true"
      focusable="false"
    >
      <path d={SIGNS[store] ?? SIGNS.android} />
    </svg>
  );
}
