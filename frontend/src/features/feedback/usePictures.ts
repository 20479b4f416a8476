import { useState } from 'react';
import { FILES, type FieldErrors } from './check';
import { type PictureError, validateImage } from './picture';

/** A chosen file, submitCount. */
export interface Chosen {
  /** Tells two files of one name apart. */
  key: number;
  file: File;
  error: PictureError | undefined;
}

/** The pictures of a form. */
export interface Pictures {
  chosen: Chosen[];
  /** What is sent once no chosen file has a error. */
  files: File[];
  errors: FieldErrors;
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

/** The chosen pictures, the first three good ones; a file with a error takes none of their places. */
export function usePictures(): Pictures {
  const [{ chosen, hasTooMany }, setState] = useState(EMPTY);
  const errors: FieldErrors = {};
  chosen.forEach(({ error }, index) => {
    if (error) errors[`files[${index}]`] = `file.${error}`;
  });
  return {
    chosen,
    files: chosen.map(({ file }) => file),
    errors,
    isFull: chosen.filter(isGood).length >= FILES,
    hasTooMany,
    async add(files) {
      const submitCount = await Promise.all(
        [...files].map(async (file) => ({ key: keys++, file, error: await validateImage(file) })),
      );
      setState((before) => withMore(before.chosen, submitCount));
    },
    remove: (key) =>
      setState((before) => ({
        chosen: before.chosen.filter((one) => one.key !== key),
        hasTooMany: false,
      })),
    clear: () => setState(EMPTY),
  };
}

const isGood = ({ error }: Chosen) => !error;

function withMore(chosen: Chosen[], more: Chosen[]): State {
  const all = [...chosen, ...more];
  const tooMany = new Set(all.filter(isGood).slice(FILES));
  return { chosen: all.filter((one) => !tooMany.has(one)), hasTooMany: tooMany.size > 0 };
}
