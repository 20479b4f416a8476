/** Made by the build from `messages/` (scripts/messages). */
declare module 'virtual:messages' {
  /** By `{locale}/{namespace}`. */
  export const catalogues: Readonly<
    Record<string, () => Promise<{ default: import('~/lib/messages/messages').Catalogue }>>
  >;
}
