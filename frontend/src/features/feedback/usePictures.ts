import { useState } from 'react';
import { MAX_PICTURES, type RejectedPictures } from './check';
import { type PictureError, validateImage } from './picture';

/** A chosen file and its error. */
export interface Chosen {
  /** Distinguishes two files with the same name. */
  key: number;
  file: File;
  error: PictureError | undefined;
}

export type Pictures = ReturnType<typeof usePictures>;

interface State {
  chosen: Chosen[];
  hasTooMany: boolean;
}

const NO_PICTURES: State = { chosen: [], hasTooMany: false };

let keys = 0;

/**
 * The chosen pictures: the first three valid ones. Invalid files do not count towards the maximum.
 */
export function usePictures() {
  const [{ chosen, hasTooMany }, setState] = useState(NO_PICTURES);
  return {
    chosen,
    /** Files to send when no chosen file has an error. */
    files: chosen.map(({ file }) => file),
    hasErrors: !chosen.every(isGood),
    /** The last choice contained more valid pictures than fit, or the server says so. */
    hasTooMany,
    /** Shows the server's errors at those of the `sent` pictures that are still chosen. */
    reject({ hasTooMany, errors }: RejectedPictures, sent: readonly Chosen[]) {
      const errorOf = new Map(sent.map(({ key }, index) => [key, errors[index]]));
      setState((before) => ({
        chosen: before.chosen.map((one) => ({ ...one, error: errorOf.get(one.key) ?? one.error })),
        hasTooMany: hasTooMany || before.hasTooMany,
      }));
    },
    async add(files: Iterable<File>) {
      const added = await Promise.all(
        [...files].map(async (file) => ({ key: keys++, file, error: await validateImage(file) })),
      );
      setState((before) => withMore(before.chosen, added));
    },
    remove: (key: number) =>
      setState((before) => ({
        chosen: before.chosen.filter((one) => one.key !== key),
        hasTooMany: false,
      })),
    clear: () => setState(NO_PICTURES),
  };
}

const isGood = ({ error }: Chosen) => !error;

function withMore(chosen: Chosen[], more: Chosen[]): State {
  const all = [...chosen, ...more];
  const tooMany = new Set(all.filter(isGood).slice(MAX_PICTURES));
  return { chosen: all.filter((one) => !tooMany.has(one)), hasTooMany: tooMany.size > 0 };
}
