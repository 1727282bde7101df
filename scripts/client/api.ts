import type { Document, Operation, Schema } from './document.ts';
import { comment, hasResultType, inputName, print, queryName, resultName, typeNameOf } from './types.ts';

/** The methods as an interface, with their documentation, and as the table that the client makes them from. */
export function writeApi({ operations, resolve }: Document): string {
  const groups = Map.groupBy(operations, ({ group }) => group);
  const names = new Set<string>();
  const shapes = [...groups].map(([group, members]) => {
    const methods = members.map(
      (operation) => `${comment(operation.doc, '    ')}    ${signature(operation, resolve, names)};\n`,
    );
    return `  ${group}: {\n${methods.join('')}  };\n`;
  });
  const table = [...groups].map(([group, members]) => {
    const rows = members.map((operation) => `    ${operation.name}: '${specification(operation, resolve)}',\n`);
    return `  ${group}: {\n${rows.join('')}  },\n`;
  });
  return `/** Made by \`npm run client\` from docs/openapi.json. */
import type { List } from '../list.ts';
import type { CallOptions } from '../request.ts';
import type {
${[...names]
  .sort()
  .map((name) => `  ${name},\n`)
  .join('')}} from './types.ts';

/** The record's version, for \`ifMatch\`. */
export type Versioned = { etag: string };

/** A method for each operation of the service. */
export type Api = {
${shapes.join('')}};

export const OPERATIONS = {
${table.join('')}} satisfies { [Group in keyof Api]: { [Method in keyof Api[Group]]: string } };
`;
}

function signature(operation: Operation, resolve: (schema: Schema) => Schema, names: Set<string>): string {
  const use = (name: string) => {
    names.add(name);
    return name;
  };
  const { name, method, body, query, pathParameters } = operation;
  const args = pathParameters.map((parameter) => `${parameter}: string`);
  let options = 'CallOptions';
  if (body)
    args.push(
      body.isJson
        ? `body${isOptional(body.schema, resolve) ? '?' : ''}: ${body.takesForm ? 'FormData | ' : ''}${use(inputName(operation))}`
        : "body: RequestInit['body']",
    );
  if (query.length > 0 && method === 'GET') {
    const isRequired = query.some((parameter) => parameter.required && parameter.name !== 'businessId');
    args.push(`query${isRequired ? '' : '?'}: ${use(queryName(operation))}`);
  } else if (query.length > 0) {
    options = `CallOptions & { query?: ${use(queryName(operation))} }`;
  }
  args.push(`options?: ${options}`);
  return `${name}(${args.join(', ')}): ${result(operation, resolve, use)}`;
}

/** A body in which nothing is required may be left out. */
const isOptional = (schema: Schema, resolve: (schema: Schema) => Schema) =>
  (resolve(schema).required ?? []).every((name) => name === 'businessId') && resolve(schema).type === 'object';

function result(operation: Operation, resolve: (schema: Schema) => Schema, use: (name: string) => string): string {
  const { answer, item, isVersioned } = operation;
  if (item) return `List<${use(item.$ref ? typeNameOf(item.$ref) : `${operation.typeName}Item`)}>`;
  if (answer.as === 'text') return 'Promise<string>';
  if (answer.as === 'response') return 'Promise<Response>';
  if (!answer.schema.$ref && !hasResultType(operation)) {
    for (const [, ref] of JSON.stringify(answer.schema).matchAll(/"\$ref":"([^"]+)"/g)) use(typeNameOf(ref!));
    return `Promise<${print(answer.schema).replaceAll(/\s+/g, ' ')}>`;
  }
  const name = use(resultName(operation));
  return `Promise<${name}${isVersioned && !resolve(answer.schema).properties?.etag ? ' & Versioned' : ''}>`;
}

function specification(operation: Operation, resolve: (schema: Schema) => Schema): string {
  const { method, path, body, query, item, isPublic, answer } = operation;
  const takesBusiness = body
    ? resolve(body.schema).properties?.businessId !== undefined
    : method === 'GET' && query.some(({ name }) => name === 'businessId');
  const flags = [
    item && 'list',
    body && 'body',
    query.length > 0 && 'query',
    takesBusiness && 'business',
    isPublic && 'public',
    answer.as !== 'json' && answer.as,
  ];
  return [method, path, ...flags].filter(Boolean).join(' ');
}
