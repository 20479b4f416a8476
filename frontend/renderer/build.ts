/** The id of the build that this renderer belongs to, put here when all of it is built. */
export const BUILD: string = '@build@';
