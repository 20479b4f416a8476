import { type FocusEvent, type KeyboardEvent, useEffect, useId, useState } from 'react';
import { searchHelp } from '~/gen/operations';
import type { SearchHitJson } from '~/gen/sahm/content/v1/search_pb';
import { post } from '~/lib/api';
import { pathTo } from '~/lib/links/path-to';
import { usePaths } from '~/lib/links/paths';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import { Icon } from '~/ui/Icon';
import { type ListState, onKey } from './listbox';
import { Marked } from './Marked';
import styles from './SearchBox.module.css';

const CLOSED_LIST: ListState = { open: false, active: -1 };

/** The help centre's search: a plain form; with scripts a combobox that suggests documents. */
export function SearchBox({ keyword = '', large = false }: { keyword?: string; large?: boolean }) {
  const t = useMessages('support');
  const { href } = usePaths();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [list, setList] = useState(CLOSED_LIST);
  const hits = useSuggestions(typed);
  const open = list.open && hits.length > 0;

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const { handled, chosen, ...state } = onKey(event.key, { ...list, open }, hits.length);
    setList(state);
    if (handled) event.preventDefault();
    if (chosen !== undefined) follow(href(hits[chosen]?.link ?? pathTo('support')));
  }

  function onBlur(event: FocusEvent<HTMLFormElement>) {
    if (!event.currentTarget.contains(event.relatedTarget)) setList(CLOSED_LIST);
  }

  return (
    <search className={`${styles.search} screen-only`}>
      <form
        action={href(pathTo('support-search'))}
        method="get"
        className={large ? `${styles.form} ${styles.large}` : styles.form}
        onBlur={onBlur}
      >
        <label htmlFor={`${id}-box`} className="visually-hidden">
          {t('search.label')}
        </label>
        <div className={styles.field}>
          <Icon name="search" className={styles.icon} />
          <input
            id={`${id}-box`}
            className={styles.input}
            type="text"
            inputMode="search"
            name="keyword"
            // Resets the box for another keyword.
            key={keyword}
            defaultValue={keyword}
            maxLength={MAX_KEYWORD_LENGTH}
            placeholder={t('search.placeholder')}
            autoComplete="off"
            enterKeyHint="search"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={open}
            aria-controls={`${id}-list`}
            aria-activedescendant={open && list.active >= 0 ? `${id}-${list.active}` : undefined}
            onInput={(event) => {
              setTyped(event.currentTarget.value);
              setList({ open: true, active: -1 });
            }}
            onKeyDown={onKeyDown}
          />
          <button type="submit" className={`${buttonClass('primary')} ${styles.submit}`}>
            {t('search.submit')}
          </button>
        </div>
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={t('search.suggestions')}
          className={styles.list}
          hidden={!open}
        >
          {hits.map((hit, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the search box handles the keyboard
            <div
              key={hit.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === list.active}
              className={styles.option}
              // Keeps focus in the box.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => follow(href(hit.link ?? pathTo('support')))}
            >
              <Marked parts={hit.titleParts} text={hit.title} />
            </div>
          ))}
        </div>
        <p role="status" className="visually-hidden">
          {open && t('search.count', { count: hits.length })}
        </p>
      </form>
    </search>
  );
}

/** Follows a suggestion by client navigation where possible. */
function follow(href: string) {
  const link = document.createElement('a');
  link.href = href;
  document.body.append(link);
  link.click();
  link.remove();
}

const MAX_SUGGESTIONS = 6;
const TYPING_DEBOUNCE_MS = 200;
/** Maximum length that the service accepts. */
const MAX_KEYWORD_LENGTH = 100;

const NO_HITS: readonly SearchHitJson[] = [];

/**
 * Documents that match the typed text. Earlier suggestions stay until new ones arrive; if the
 * request fails there are none, and the form still works.
 */
function useSuggestions(typed: string): readonly SearchHitJson[] {
  const { locale } = usePage();
  const [hits, setHits] = useState(NO_HITS);
  const keyword = typed.trim().slice(0, MAX_KEYWORD_LENGTH);
  useEffect(() => {
    if (keyword.length < 2) {
      setHits(NO_HITS);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      post(searchHelp, { keyword, size: MAX_SUGGESTIONS }, { locale, signal: abort.signal }).then(
        ({ items = [] }) => setHits(items),
        () => {
          if (!abort.signal.aborted) setHits(NO_HITS);
        },
      );
    }, TYPING_DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [keyword, locale]);
  return hits;
}
