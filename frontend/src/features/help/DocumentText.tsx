import type { HelpDocumentJson } from '~/gen/sahm/content/v1/help_pb';
import { languageOf } from '~/lib/locale';
import { Prose } from '~/ui/Prose';

/** A document's own text, in its own language and direction. */
export function DocumentText({
  document: { locale, bodyHtml },
  other,
  className,
}: {
  document: HelpDocumentJson;
  /** Whether it exists in the other language only. */
  other: boolean;
  className?: string | undefined;
}) {
  return <Prose html={bodyHtml} language={languageOf(locale, other)} className={className} />;
}
