import { execFileSync } from 'node:child_process';
import { inFrontend } from './build/paths.ts';

interface HttpRule {
  get?: string;
  post?: string;
  additionalBindings?: HttpRule[];
}

/** The part of `buf build`'s descriptor set that REST operations are made from. */
interface DescriptorSet {
  file: {
    name: string;
    package: string;
    service?: {
      method: {
        name: string;
        inputType: string;
        outputType: string;
        clientStreaming?: boolean;
        options?: { '[google.api.http]'?: HttpRule };
      }[];
    }[];
    messageType?: { name: string; field?: { jsonName: string; proto3Optional?: boolean }[] }[];
  }[];
}

interface Operation {
  name: string;
  path: string;
  request: string;
  response: string;
}

const PREFIX = '/api';

/**
 * The source of `src/gen/operations.ts`: every rpc that REST serves by POST, as its path and types. An rpc that takes a
 * stream is a form with files, which is not sent as JSON.
 */
export function operationsSource(): string {
  const set = JSON.parse(
    execFileSync(inFrontend('node_modules/.bin/buf'), ['build', 'proto', '-o', '-#format=json'], {
      cwd: inFrontend('..'),
      maxBuffer: 1 << 28,
    }).toString(),
  ) as DescriptorSet;
  const fileOf = new Map<string, string>();
  const optionalFieldsOf = new Map<string, string[]>();
  for (const { name, package: scope, messageType = [] } of set.file) {
    for (const message of messageType) {
      const optional = (message.field ?? []).filter(({ proto3Optional }) => proto3Optional);
      fileOf.set(`.${scope}.${message.name}`, name);
      optionalFieldsOf.set(
        `.${scope}.${message.name}`,
        optional.map(({ jsonName }) => `'${jsonName}'`),
      );
    }
  }
  const methods = set.file.flatMap(({ service = [] }) => service.flatMap(({ method }) => method));
  const operations = methods
    .filter(({ clientStreaming }) => !clientStreaming)
    .flatMap(({ name, inputType, outputType, options }): Operation[] => {
      const path = postPath(options?.['[google.api.http]']);
      return path ? [{ name, path, request: inputType, response: outputType }] : [];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));

  const imports = new Map<string, Set<string>>();
  const typeOf = (message: string) => {
    const file = (fileOf.get(message) ?? '').replace(/\.proto$/, '_pb');
    const type = `${message.split('.').at(-1)}Json`;
    imports.set(file, (imports.get(file) ?? new Set()).add(type));
    return type;
  };
  const lines = operations.map(({ name, path, request, response }) => {
    const nullable = [typeOf(response), optionalFieldsOf.get(response)?.join(' | ')];
    const types = `${typeOf(request)}, Result<${nullable.filter(Boolean).join(', ')}>`;
    return `export const ${lowerFirst(name)} = '${path}' as Operation<${types}>;`;
  });
  const importLines = [...imports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, types]) => `import type { ${[...types].sort().join(', ')} } from './${file}';`);
  return `// Made by npm run gen from the protos; do not edit.
${importLines.join('\n')}

declare const types: unique symbol;

/** A result as REST sends it: with its default values; absent messages and optional fields are null. */
export type Result<Message, Optional = never> = {
  [Field in keyof Message]-?: Field extends Optional
    ? NonNullable<Message[Field]> | null
    : NonNullable<Message[Field]> extends (infer Item extends object)[]
      ? Result<Item>[]
      : NonNullable<Message[Field]> extends string | number | boolean | string[]
        ? NonNullable<Message[Field]>
        : NonNullable<Message[Field]> | null;
};

/** The path of a REST call below \`/api\`, with the types of its parameters and its result. */
export type Operation<Request, Response> = string & { readonly [types]: [Request, Response] };

export type ResultOf<O> = O extends Operation<infer _, infer Response> ? Response : never;

${lines.join('\n')}
`;
}

function postPath(rule: HttpRule | undefined): string | undefined {
  const rules = rule ? [rule, ...(rule.additionalBindings ?? [])] : [];
  return rules.find(({ post }) => post?.startsWith(PREFIX))?.post?.slice(PREFIX.length);
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
