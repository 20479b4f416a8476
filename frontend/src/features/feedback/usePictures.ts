import { useState } from 'react';
import { type Faults, FILES } from './check';
import { judgeFile, type PictureFault } from './picture';

/** A chosen file, judged. */
export interface Chosen {
  /** Tells two files of one name apart. */
  key: number;
  file: File;
  fault: PictureFault | undefined;
}

/** The pictures of a form. */
export interface Pictures {
  chosen: Chosen[];
  /** What is sent once no chosen file has a fault. */
  files: File[];
  faults: Faults;
  /** As many as can be sent are chosen. */
  isFull: boolean;
  /** Good pictures were left out of the last choice, because there were too many. */
  hasTooMany: boolean;
  add(files: Iterable<File>): void;
  remove(key: number): void;
  clear(): void;
}

interface State {
  chosen: Chosen[];
  hasTooMany: boolean;
}

const EMPTY: State = { chosen: [], hasTooMany: false };

let keys = 0;

/** The chosen pictures, the first three good ones; a file with a fault takes none of their places. */
export function usePictures(): Pictures {
  const [{ chosen, hasTooMany }, setState] = useState(EMPTY);
  const faults: Faults = {};
  chosen.forEach(({ fault }, index) => {
    if (fault) faults[`files[${index}]`] = `file.${fault}`;
  });
  return {
    chosen,
    files: chosen.map(({ file }) => file),
    faults,
    isFull: chosen.filter(isGood).length >= FILES,
    hasTooMany,
    async add(files) {
      const judged = await Promise.all(
        [...files].map(async (file) => ({ key: keys++, file, fault: await judgeFile(file) })),
      );
      setState((before) => withMore(before.chosen, judged));
    },
    remove: (key) =>
      setState((before) => ({
        chosen: before.chosen.filter((one) => one.key !== key),
        hasTooMany: false,
      })),
    clear: () => setState(EMPTY),
  };
}

const isGood = ({ fault }: Chosen) => !fault;

function withMore(chosen: Chosen[], more: Chosen[]): State {
  const all = [...chosen, ...more];
  const tooMany = new Set(all.filter(isGood).slice(FILES));
  return { chosen: all.filter((one) => !tooMany.has(one)), hasTooMany: tooMany.size > 0 };
}
