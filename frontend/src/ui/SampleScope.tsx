import { createContext, type ReactNode, useContext } from 'react';
import { useMessages } from '~/lib/messages/messages';
import styles from './SampleScope.module.css';

interface Item {
  sample?: boolean;
}

/** Whether all content below is a sample and the page says so once. */
const AllSamples = createContext(false);

/** A scope that a `SampleLine` or `SampleNote` marks once if all of its content is a sample. */
export function SampleScope({ items, children }: { items: readonly Item[]; children: ReactNode }) {
  const all = items.length > 0 && items.every(({ sample }) => sample);
  return <AllSamples value={all}>{children}</AllSamples>;
}

/** States that all content of the scope is a sample; nothing if only some of it is. */
export function SampleLine() {
  const t = useMessages('common');
  if (!useContext(AllSamples)) return null;
  return <p className={styles.line}>{t('sample.all')}</p>;
}

/** Marks one item as a sample; nothing if the whole scope is marked. */
export function SampleMark({ item: { sample } }: { item: Item }) {
  const t = useMessages('common');
  const all = useContext(AllSamples);
  return sample && !all ? <span>{t('sample')}</span> : null;
}
