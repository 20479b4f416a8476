import { useEffect, useState } from 'react';
import { searchHelp } from '~/gen/operations';
import type { SearchHitJson } from '~/gen/sahm/content/v1/search_pb';
import { post } from '~/lib/api';
import { usePage } from '~/lib/page/page';

/** Suggestions below the box. */
const SUGGESTIONS = 6;

/** Letters typed within this time (ms) are asked for together. */
const TYPING_DEBOUNCE = 200;

/** As many characters as the service takes. */
export const KEYWORD_LENGTH = 100;

/** What was found, and for which keyword. */
export interface Suggestions {
  keyword: string;
  hits: SearchHitJson[];
}

const NONE: Suggestions = { keyword: '', hits: [] };

/**
 * Documents that match what is typed. Those of an older text stay until the newer come; without an
 * answer there are none, and the form works as ever.
 */
export function useSuggestions(typed: string): Suggestions {
  const { locale } = usePage();
  const [found, setFound] = useState(NONE);
  const keyword = typed.trim().slice(0, KEYWORD_LENGTH);
  useEffect(() => {
    if (keyword.length < 2) {
      setFound(NONE);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      post(searchHelp, { keyword, size: SUGGESTIONS }, { locale, signal: abort.signal }).then(
        ({ items = [] }) => setFound({ keyword, hits: items }),
        () => {
          if (!abort.signal.aborted) setFound(NONE);
        },
      );
    }, TYPING_DEBOUNCE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [keyword, locale]);
  return found;
}
