import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Catalogues } from './catalogues.ts';

/** The source of `src/gen/messages.ts`: the arguments of each message. */
export function messageTypes(catalogues: Catalogues): string {
  const lines = catalogues.pageNamespaces.flatMap((namespace) => [
    `  ${JSON.stringify(namespace)}: {`,
    ...Object.entries(catalogues.texts('en-us', namespace)).map(
      ([key, text]) => `    ${JSON.stringify(key)}: ${valuesType(text)};`,
    ),
    '  };',
  ]);
  return `// Made by npm run gen from messages/en-us; do not edit.

/** The messages of each namespace with the values that they take. */
export interface Namespaces {
${lines.join('\n')}
}
`;
}

/** The type of a message's arguments: numbers if it counts or formats them, else text or number. */
function valuesType(text: string): string {
  const types = new Map<string, string>();
  collect(parse(text, { ignoreTag: true, captureLocation: false }), types);
  const fields = [...types].map(([name, type]) => `${JSON.stringify(name)}: ${type}`);
  return fields.length > 0 ? `{ ${fields.join('; ')} }` : '{}';
}

function collect(elements: MessageFormatElement[], types: Map<string, string>) {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    const isText = element.type === TYPE.argument || element.type === TYPE.select;
    if (!isText) types.set(element.value, 'number');
    else if (!types.has(element.value)) types.set(element.value, 'string | number');
    if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
    for (const option of Object.values(element.options)) collect(option.value, types);
  }
}
