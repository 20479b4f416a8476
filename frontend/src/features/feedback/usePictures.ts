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
  /** What is sent once none of them has a fault. */
  files: File[];
  faults: Faults;
  add(files: Iterable<File>): void;
  remove(key: number): void;
  clear(): void;
}

let keys = 0;

/** Keeps the chosen pictures, at most three, each judged when it is chosen. */
export function usePictures(): Pictures {
  const [chosen, setChosen] = useState<Chosen[]>([]);
  const [many, setMany] = useState(false);
  const faults: Faults = many ? { files: 'file.many' } : {};
  chosen.forEach(({ fault }, index) => {
    if (fault) faults[`files[${index}]`] = `file.${fault}`;
  });
  return {
    chosen,
    files: chosen.map(({ file }) => file),
    faults,
    async add(files) {
      const judged = await Promise.all(
        [...files].map(async (file) => ({ key: keys++, file, fault: await judgeFile(file) })),
      );
      setMany(chosen.length + judged.length > FILES);
      setChosen((before) => [...before, ...judged].slice(0, FILES));
    },
    remove(key) {
      setMany(false);
      setChosen((before) => before.filter((one) => one.key !== key));
    },
    clear() {
      setMany(false);
      setChosen([]);
    },
  };
}
