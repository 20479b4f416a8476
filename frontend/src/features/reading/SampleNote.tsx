import { useMessages } from '~/lib/messages/messages';

/** Labels a sample text of a kind. */
export function SampleNote({ kind }: { kind: 'news' | 'announcement' | 'lesson' | 'company' }) {
  const t = useMessages('reading');
  return (
    <p>
      <strong>{t(`sample.${kind}.title`)}</strong> {t(`sample.${kind}.note`)}
    </p>
  );
}
