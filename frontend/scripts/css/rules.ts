import type { AtRule, Container, Declaration, Document, Root } from 'postcss';

const PHYSICAL_PROPERTY =
  /^(?:left|right|(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?:-.*)?|border-(?:top|bottom)-(?:left|right)-radius)$/;
const SIDED_PROPERTY = /^(?:text-align|text-align-last|float|clear|caption-side)$/;
const COLOUR =
  /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(|\b(?:black|white|red|green|blue|gr[ae]y|silver|maroon|purple|fuchsia|lime|olive|yellow|navy|teal|aqua|orange|brown|gold|pink|beige|ivory|tan)\b/i;
const COLOUR_PROPERTY =
  /^(?:color|background|background-color|background-image|border|border-.*|outline|outline-color|fill|stroke|box-shadow|text-shadow|caret-color|accent-color|text-decoration|text-decoration-color|column-rule|column-rule-color|stop-color|--.*)$/;

/** `line: what` for each declaration that names a physical side, or a colour instead of a token. */
export function cssProblems(root: Root, { mayNameColours }: { mayNameColours: boolean }): string[] {
  const problems: string[] = [];
  root.walkDecls((declaration) => {
    const { prop, value } = declaration;
    const say = (what: string) => problems.push(`${declaration.source?.start?.line ?? 0}: ${what}`);
    if (PHYSICAL_PROPERTY.test(prop)) say(`${prop} is physical: use its logical property`);
    if (SIDED_PROPERTY.test(prop) && /\b(?:left|right)\b/.test(value)) {
      say(`${prop}: ${value} is physical: use start or end`);
    }
    if (!mayNameColours && namesColour(declaration)) say(`${prop}: ${value} is no token`);
  });
  return problems;
}

function namesColour(declaration: Declaration): boolean {
  const value = declaration.value.replace(/url\([^)]*\)|var\([^)]*\)|"[^"]*"/g, '');
  return COLOUR_PROPERTY.test(declaration.prop) && COLOUR.test(value) && !onPaper(declaration);
}

/** Paper has its own colours, whatever the theme. */
function onPaper(declaration: Declaration): boolean {
  let parent: Container | Document | undefined = declaration.parent;
  while (parent) {
    if (parent.type === 'atrule' && /\bprint\b/.test((parent as AtRule).params)) return true;
    parent = parent.parent;
  }
  return false;
}
