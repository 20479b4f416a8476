import type { SearchPartJson } from '~/gen/sahm/content/v1/search_pb';
import styles from './Marked.module.css';

/** A search result with the matches highlighted. */
export function Marked({ parts = [], text = '' }: { parts?: SearchPartJson[]; text?: string }) {
  if (parts.length === 0) return text;
  return parts.map((part, index) =>
    part.hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts is fixed
      <mark key={index} className={styles.hit}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
