/** The id of the build that this renderer belongs to (`scripts/build/bundle.ts`). */
export const BUILD: string = import.meta.env.BUILD_ID;
