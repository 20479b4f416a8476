import { readFileSync } from 'node:fs';

/** Boolean attributes of HTML; React and Vue expect `true`. */
const BOOLEAN = new Set(['controls', 'default', 'disabled', 'hidden', 'open', 'playsinline', 'required']);

let page;

/**
 * The site's page as the benchmark saved it: `document`, the data that the browser hydrates from
 * (`BENCH_DOCUMENT`), and `elements`, what `#root` holds (`BENCH_PAGE`): a text, or
 * `[tag, attributes, children]`. Read once: what it costs to fetch and parse is in no app's measurement.
 */
export function sitePage(parseDocument) {
  page ??= {
    document: JSON.parse(readFileSync(process.env.BENCH_DOCUMENT, 'utf8')).document,
    elements: childrenOf(rootOf(parseDocument(readFileSync(process.env.BENCH_PAGE, 'utf8')))),
  };
  return page;
}

function rootOf(node) {
  if (node.attribs?.id === 'root') return node;
  for (const child of node.children ?? []) {
    const found = rootOf(child);
    if (found) return found;
  }
}

function childrenOf({ children }) {
  return children.filter(({ type }) => type !== 'comment').map(elementOf);
}

function elementOf(node) {
  if (node.type === 'text') return node.data;
  const attributes = Object.entries(node.attribs).map(([name, value]) => [
    name,
    BOOLEAN.has(name) ? true : value,
  ]);
  return [node.name, Object.fromEntries(attributes), childrenOf(node)];
}
