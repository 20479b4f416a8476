import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inFrontend } from './build/paths.ts';

interface HttpRule {
  get?: string;
  post?: string;
  additionalBindings?: HttpRule[];
}

/** The part of `buf build`'s descriptor set that REST operations are generated from. */
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
        serverStreaming?: boolean;
        options?: { '[google.api.http]'?: HttpRule };
      }[];
    }[];
    messageType?: { name: string; field?: { jsonName: string; proto3Optional?: boolean }[] }[];
  }[];
}

interface Operation {
  name: string;
  path: string;
  /** Undefined for a form with files. */
  request: string | undefined;
  response: string;
}

const PREFIX = '/api';

/**
 * The source of `src/gen/operations.ts`: the path and types of every rpc that REST serves by POST,
 * and of streams. A client stream is a form with files; a server stream is an event stream by GET.
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
    .flatMap(
      ({ name, inputType, outputType, clientStreaming, serverStreaming, options }): Operation[] => {
        const path = pathOf(serverStreaming ? 'get' : 'post', options?.['[google.api.http]']);
        const request = clientStreaming ? undefined : inputType;
        return path ? [{ name, path, request, response: outputType }] : [];
      },
    )
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
    const types = `${request ? typeOf(request) : 'FormData'}, Result<${nullable.filter(Boolean).join(', ')}>`;
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

${[...lines, ...gatewayOperations()].join('\n')}
`;
}

interface Schema {
  type: string | string[];
  properties: Record<string, Schema>;
  required: string[];
}

interface Body {
  content: { 'application/json': { schema: Schema } };
}

/** The part of an OpenAPI operation that its types are generated from. */
interface OpenApiOperation {
  operationId: string;
  'x-rpc'?: string;
  requestBody: Body;
  responses: { 200: Body };
}

/** Operations that the gateway serves itself: its OpenAPI description names no rpc for them. */
function gatewayOperations(): string[] {
  const file = inFrontend('../gateway/src/api/openapi/openapi.json');
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, { post?: OpenApiOperation }>;
  };
  return Object.entries(paths).flatMap(([path, { post }]) => {
    if (!post || post['x-rpc']) return [];
    const name = post.operationId.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const request = fieldsOf(schemaOf(post.requestBody));
    const data = schemaOf(post.responses[200]).properties.data;
    const types = `${request}, ${data ? fieldsOf(data) : 'null'}`;
    return [`export const ${name} = '${path.slice(PREFIX.length)}' as Operation<${types}>;`];
  });
}

const schemaOf = ({ content }: Body) => content['application/json'].schema;

function fieldsOf({ properties, required }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, { type }]) => `${name}${required.includes(name) ? '' : '?'}: ${[type].flat()[0]}`,
  );
  return `{ ${fields.join('; ')} }`;
}

function pathOf(method: 'get' | 'post', rule: HttpRule | undefined): string | undefined {
  const rules = rule ? [rule, ...(rule.additionalBindings ?? [])] : [];
  const paths = rules.map((one) => one[method]);
  return paths.find((path) => path?.startsWith(PREFIX))?.slice(PREFIX.length);
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
