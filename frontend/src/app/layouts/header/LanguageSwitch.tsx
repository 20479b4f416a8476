import { languageHref, otherLocale } from '~/lib/links/paths';
import { useAddress, useShownPath } from '~/lib/links/useAddress';
import { LOCALES, type Locale } from '~/lib/locale';
import { usePage } from '~/lib/page/page';
import { Icon } from '~/ui/Icon';

/**
 * A link to the same page in the other language, which loads a document. Query and hash are added
 * after hydration.
 */
export function LanguageSwitch({ className }: { className?: string | undefined }) {
  const { locale } = usePage();
  const path = useShownPath();
  const { search, hash } = useAddress();
  const other = otherLocale(locale);
  const { tag, dir, name } = LOCALES[other];
  return (
    <a
      className={className}
      href={languageHref(other, path, search, hash)}
      hrefLang={tag}
      data-document=""
      onClick={() => keepLanguage(other)}
    >
      <Icon name="globe" />
      <span lang={tag} dir={dir}>
        {name}
      </span>
    </a>
  );
}

/** One year (docs/sessions.md). */
const COOKIE_MAX_AGE_SECONDS = 31_536_000;

// The cookie also sets the language of addresses without a locale prefix.
function keepLanguage(locale: Locale) {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `lang=${locale}; Max-Age=${COOKIE_MAX_AGE_SECONDS}; Path=/; SameSite=Lax${secure}`;
}
