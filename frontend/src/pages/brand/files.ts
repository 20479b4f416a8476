/**
 * The logo files for download, served at the site's root from `public/`: the message
 * `brand:file.{label}`, the width in the drawing's units, and the background each is made for.
 */
export const LOGO_FILES = [
  { name: 'sahm-logo.svg', label: 'logo', width: 116, ground: 'light' },
  { name: 'sahm-logo-arabic.svg', label: 'logo-arabic', width: 110, ground: 'light' },
  { name: 'sahm-logo-one-colour.svg', label: 'one-colour', width: 116, ground: 'light' },
  { name: 'sahm-logo-night.svg', label: 'logo-night', width: 116, ground: 'night' },
  { name: 'sahm-logo-arabic-night.svg', label: 'logo-arabic-night', width: 110, ground: 'night' },
  { name: 'sahm-mark.svg', label: 'mark', width: 32, ground: 'light' },
] as const;
