import type { HelpDocumentJson } from '~/gen/sahm/content/v1/help_pb';
import { languageOf } from '~/lib/language';
import prose from '~/ui/prose.module.css';

/** A document's own text, in its own language and direction. */
export function DocumentText({
  document: { locale, bodyHtml = '' },
  other,
  className,
}: {
  document: HelpDocumentJson;
  /** Whether it exists in the other language only. */
  other: boolean;
  className?: string | undefined;
}) {
  return (
    // Sanitised where it was imported.
    <div
      className={[prose.text, className].filter(Boolean).join(' ')}
      {...languageOf(locale, other)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: `body_html` is sanitised HTML
      dangerouslySetInnerHTML={{ __html: bodyHtml }}
    />
  );
}
