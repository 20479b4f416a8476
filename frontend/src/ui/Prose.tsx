import type { Language } from '~/lib/language';
import { useMessages } from '~/lib/messages/messages';
import styles from './prose.module.css';
import { scrollableTables } from './tables';

/** Sanitised HTML of an article or a document, set as text; its tables scroll by themselves. */
export function Prose({
  html = '',
  language,
  className,
}: {
  html: string | undefined;
  /** The text's own language and direction, where they are not the page's. */
  language: Language;
  className?: string | undefined;
}) {
  const t = useMessages('chrome');
  const { text, region = '', figure = '' } = styles;
  return (
    <div
      className={[text, className].filter(Boolean).join(' ')}
      {...language}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the HTML is sanitised on import
      dangerouslySetInnerHTML={{
        __html: scrollableTables(html, region, figure, (n) => t('table', { n })),
      }}
    />
  );
}
