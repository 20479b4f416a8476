import type { HelpDocumentJson } from '~/gen/sahm/content/v1/help_pb';
import { languageOf } from '~/lib/locale';
import { Prose } from '~/ui/Prose';

/** The text of a document with its own language and direction. */
export function DocumentText({
  document: { locale, bodyHtml },
  other,
  className,
}: {
  document: HelpDocumentJson;
  /** The document exists only in the other language. */
  other: boolean;
  className?: string | undefined;
}) {
  return <Prose html={bodyHtml} language={languageOf(locale, other)} className={className} />;
}
