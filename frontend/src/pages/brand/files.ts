/** A logo file for download, served at the site's root from `public/`. */
export interface LogoFile {
  name: string;
  /** The message `brand:file.{label}`. */
  label: 'logo' | 'logo-arabic' | 'logo-night' | 'logo-arabic-night' | 'one-colour' | 'mark';
  /** In the drawing's units. */
  width: number;
  /** The background it is made for. */
  ground: 'light' | 'night';
}

export const LOGO_FILES: readonly LogoFile[] = [
  { name: 'sahm-logo.svg', label: 'logo', width: 116, ground: 'light' },
  { name: 'sahm-logo-arabic.svg', label: 'logo-arabic', width: 110, ground: 'light' },
  { name: 'sahm-logo-one-colour.svg', label: 'one-colour', width: 116, ground: 'light' },
  { name: 'sahm-logo-night.svg', label: 'logo-night', width: 116, ground: 'night' },
  { name: 'sahm-logo-arabic-night.svg', label: 'logo-arabic-night', width: 110, ground: 'night' },
  { name: 'sahm-mark.svg', label: 'mark', width: 32, ground: 'light' },
];
