import { createContext, type ReactNode, useContext } from 'react';
import { useMessages } from '~/lib/messages/messages';
import styles from './SampleScope.module.css';

interface Item {
  sample?: boolean;
}

/** Whether all content below is a sample and the page says so once. */
const AllSamples = createContext(false);

/** Content that is marked once by a `SampleLine` or `SampleNote` where all of it is a sample. */
export function SampleScope({ items, children }: { items: readonly Item[]; children: ReactNode }) {
  const all = items.length > 0 && items.every(({ sample }) => sample);
  return <AllSamples value={all}>{children}</AllSamples>;
}

/** Says of everything in its scope that it is a sample; nothing where only some of it is. */
export function SampleLine() {
  const t = useMessages('chrome');
  if (!useContext(AllSamples)) return null;
  return <p className={styles.line}>{t('sample.all')}</p>;
}

/** Marks one item as a sample; nothing where its scope says it of all. */
export function SampleMark({ item: { sample } }: { item: Item }) {
  const t = useMessages('chrome');
  const all = useContext(AllSamples);
  return sample && !all ? <span>{t('sample')}</span> : null;
}
