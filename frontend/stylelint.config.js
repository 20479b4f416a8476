/** Media queries cannot use custom properties: these are the widths at which layouts change. */
const BREAKPOINTS = [
  // Small phones, where the header loses parts.
  '340px',
  '360px',
  '375px',
  // Phones, large phones, the PC of docs/pages.md, columns, wide columns, the header's menu.
  '480px',
  '600px',
  '768px',
  '900px',
  '1000px',
  '77.5em',
];

/** @type {import('stylelint').Config} */
export default {
  reportNeedlessDisables: true,
  rules: {
    // Both directions of reading use the same sheets.
    'property-layout-mappings': [
      'flow-relative',
      { ignoreProperties: ['inset', 'margin', 'padding', /^over(flow|scroll-behavior)-[xy]$/] },
    ],
    'declaration-property-max-values': { '/^(inset|margin|padding)$/': 3 },
    'value-keyword-layout-mappings': 'flow-relative',
    // Colours are tokens.
    'color-named': 'never',
    'color-no-hex': true,
    'function-disallowed-list': ['/^(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)$/'],
    // Breakpoints and layers come from one list each; 1 and less stack within a component.
    'media-feature-range-notation': 'context',
    'media-feature-name-value-allowed-list': { width: BREAKPOINTS },
    'declaration-property-value-allowed-list': { 'z-index': ['/^var\\(--z-/', '/^-?[01]$/'] },
    // Errors.
    'annotation-no-unknown': true,
    'block-no-empty': true,
    'custom-property-no-missing-var-function': true,
    'declaration-block-no-duplicate-custom-properties': true,
    'declaration-block-no-shorthand-property-overrides': true,
    'function-calc-no-unspaced-operator': true,
    'no-duplicate-selectors': true,
    'no-unknown-animations': true,
    'selector-anb-no-unmatchable': true,
  },
  overrides: [
    {
      files: ['src/styles/tokens.css'],
      rules: { 'color-named': null, 'color-no-hex': null, 'function-disallowed-list': null },
    },
  ],
};
