/** Reads the parts of the OpenAPI document that a client needs. */
import { readFileSync } from 'node:fs';
import { methodName } from './names.ts';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
  description?: string;
};

type Content = Record<string, { schema?: Schema }>;
type Parameter = { in: string; name: string; required?: boolean; schema?: Schema; description?: string };
type RawOperation = {
  operationId: string;
  tags: string[];
  summary?: string;
  description?: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content; 'x-detail-codes'?: string[] }>;
};

export type Operation = {
  /** The group of the method: `products`, `promoCodes`. */
  group: string;
  /** `list`, `setStatus`. */
  name: string;
  /** The base name of its unnamed types: `CreateProduct`. */
  typeName: string;
  method: string;
  path: string;
  doc: string;
  /** In path order, without the business ID that the client fills in. */
  pathParameters: { name: string; type: 'string' | 'number' }[];
  query: Parameter[];
  body: { schema: Schema; isJson: boolean; takesForm: boolean; isRequired: boolean } | null;
  response: { schema: Schema; as: 'json' | 'text' | 'response' };
  /** The items in a page; null if the operation is not a list. */
  item: Schema | null;
  isPublic: boolean;
  /** Whether its response has an ETag. */
  isVersioned: boolean;
};

export type Document = {
  schemas: Record<string, Schema>;
  operations: Operation[];
  /** All codes in `details` of errors. */
  detailCodes: string[];
  resolve(schema: Schema): Schema;
};

export function readDocument(file: URL): Document {
  const raw = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, RawOperation>>;
    components: { schemas?: Record<string, Schema> };
  };
  const schemas = raw.components.schemas ?? {};
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : resolve(schemas[name] ?? {});
  };
  const operations: Operation[] = [];
  const taken = new Set<string>();
  for (const [path, methods] of Object.entries(raw.paths)) {
    const versioned = Object.values(methods).some(({ parameters = [] }) =>
      parameters.some(({ name }) => name === 'if-match'),
    );
    for (const [method, operation] of Object.entries(methods)) {
      const group = camelCase(operation.tags[0]!);
      const short = methodName(operation.tags[0]!, operation.operationId);
      const name = taken.has(`${group}.${short}`) ? operation.operationId : short;
      taken.add(`${group}.${name}`);
      operations.push({ group, name, ...read(operation, method, path, { resolve, versioned }) });
    }
  }
  const responses = Object.values(raw.paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => Object.values(operation.responses)),
  );
  const detailCodes = [...new Set(responses.flatMap((response) => response['x-detail-codes'] ?? []))].sort();
  return { schemas, operations, detailCodes, resolve };
}

function read(
  operation: RawOperation,
  method: string,
  path: string,
  { resolve, versioned }: { resolve: (schema: Schema) => Schema; versioned: boolean },
): Omit<Operation, 'group' | 'name'> {
  const { operationId, summary = '', description, parameters = [], security } = operation;
  const operationResponse = readResponse(operation.responses['200']?.content);
  const page = operationResponse.as === 'json' ? resolve(operationResponse.schema).properties : undefined;
  return {
    typeName: pascalCase(operationId),
    method: method.toUpperCase(),
    path,
    doc: [summary && `${summary}.`, description].filter(Boolean).join(' '),
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => name!)
      .filter((name) => name !== 'businessId' || path.endsWith('{businessId}'))
      .map((name) => ({ name, type: isInteger(parameters, name) ? 'number' : 'string' })),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    body: readBody(operation.requestBody),
    response: operationResponse,
    item: page?.cursor && page.items?.items ? page.items.items : null,
    isPublic: security?.length === 0,
    isVersioned: versioned && ['get', 'put'].includes(method),
  };
}

const isInteger = (parameters: Parameter[], name: string) =>
  parameters.some((each) => each.in === 'path' && each.name === name && each.schema?.type === 'integer');

function readBody(body: RawOperation['requestBody']): Operation['body'] {
  if (!body) return null;
  const json = body.content['application/json']?.schema;
  const takesForm = body.content['multipart/form-data'] !== undefined;
  return { schema: json ?? {}, isJson: json !== undefined, takesForm, isRequired: body.required ?? false };
}

function readResponse(content: Content | undefined): Operation['response'] {
  const [type = 'application/json', value] = Object.entries(content ?? {})[0] ?? [];
  const as = type === 'application/json' ? 'json' : /^text\/(html|plain)/.test(type) ? 'text' : 'response';
  return { schema: value?.schema ?? {}, as };
}

const camelCase = (text: string) =>
  text
    .replace(/^./, (letter) => letter.toLowerCase())
    .replaceAll(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase());

const pascalCase = (text: string) => camelCase(text).replace(/^./, (letter) => letter.toUpperCase());
