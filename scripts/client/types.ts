import type { Document, Operation, Schema } from './document.ts';

const HEAD = '/** Made by `npm run client` from docs/openapi.json. */\n';

/** Names that mean something else in TypeScript. */
const RENAMED: Record<string, string> = { Error: 'ErrorAnswer' };

export const typeNameOf = (ref: string) => {
  const name = ref.split('/').at(-1)!;
  return RENAMED[name] ?? name;
};

/** Every component, and every body and answer that is none, as a type with its documentation. */
export function writeTypes({ schemas, operations, resolve }: Document): string {
  const bodies = new Set(operations.flatMap(({ body }) => (body?.schema.$ref ? [typeNameOf(body.schema.$ref)] : [])));
  const answers = new Set(
    operations.flatMap(({ answer }) => (answer.schema.$ref ? [typeNameOf(answer.schema.$ref)] : [])),
  );
  const declarations = Object.entries(schemas).map(([name, schema]) => {
    const known = typeNameOf(name);
    return declare(known, bodies.has(known) && !answers.has(known) ? withoutBusiness(schema) : schema);
  });
  for (const operation of operations) {
    const { body, answer, item, query } = operation;
    if (body?.isJson && !body.schema.$ref)
      declarations.push(declare(inputName(operation), withoutBusiness(body.schema)));
    if (query.length > 0) declarations.push(declare(queryName(operation), queryShape(operation, resolve)));
    if (item && !item.$ref) declarations.push(declare(`${operation.typeName}Item`, item));
    if (!item && hasResultType(operation)) declarations.push(declare(resultName(operation), answer.schema));
  }
  return `${HEAD}\n${declarations.join('\n')}`;
}

export const inputName = ({ typeName, body }: Operation) =>
  body?.schema.$ref ? typeNameOf(body.schema.$ref) : `${typeName}Input`;
export const queryName = ({ typeName }: Operation) => `${typeName}Query`;
export const resultName = ({ typeName, answer }: Operation) =>
  answer.schema.$ref ? typeNameOf(answer.schema.$ref) : `${typeName}Result`;

/** An answer of several fields gets a name, `{success: true}` does not. */
export const hasResultType = ({ answer }: Operation) =>
  answer.as === 'json' &&
  !answer.schema.$ref &&
  Object.keys(answer.schema.properties ?? {}).some((name) => name !== 'success');

/** The client fills the business in where it is left out. */
function withoutBusiness(schema: Schema): Schema {
  if (!schema.properties?.businessId) return schema;
  const businessId = { ...schema.properties.businessId, description: "Default: the client's." };
  return {
    ...schema,
    properties: { ...schema.properties, businessId },
    required: (schema.required ?? []).filter((name) => name !== 'businessId'),
  };
}

/** Lists go on by themselves, so that nobody passes a cursor. `filter[blockId]` stands for a filter on any block. */
function queryShape({ query, item }: Operation, resolve: (schema: Schema) => Schema): Schema {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const { name, schema = {}, description, required: isRequired } of query) {
    if (item && name === 'cursor') continue;
    const [, outer] = /^(\w+)\[/.exec(name) ?? [];
    const value = outer ? { type: 'object', additionalProperties: resolve(schema) } : schema;
    properties[outer ?? name] = { ...value, ...(description ? { description } : {}) };
    if (isRequired && name !== 'businessId') required.push(outer ?? name);
    if (name === 'businessId')
      properties.businessId = {
        ...schema,
        description: "Default: the client's. Null: left out.",
        type: ['string', 'null'],
      };
  }
  return { type: 'object', properties, required };
}

const declare = (name: string, schema: Schema) =>
  `${comment(schema.description, '')}export type ${name} = ${print(schema)};\n`;

export function comment(text: string | undefined, indent: string): string {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s*\n\s*/g, ' ')} */\n` : '';
}

/** The TypeScript type of a schema. */
export function print(schema: Schema, indent = ''): string {
  if (schema.$ref) return typeNameOf(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return [...new Set(union.map((each) => print(each, indent)))].join(' | ');
  if (schema.allOf) return schema.allOf.map((each) => print(each, indent)).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => print({ ...schema, type }, indent)).join(' | ');
  if (schema.type === 'array') {
    const item = print(schema.items ?? {}, indent);
    return isUnion(schema.items ?? {}) ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === 'object' || schema.properties) return printObject(schema, indent);
  if (schema.type === 'integer') return 'number';
  return schema.type ?? 'unknown';
}

const isUnion = ({ anyOf, oneOf, allOf, enum: values, type }: Schema) =>
  anyOf !== undefined || oneOf !== undefined || allOf !== undefined || values !== undefined || Array.isArray(type);

function printObject({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(schema.description, inner)}${inner}${key}${required.includes(name) ? '' : '?'}: ${print(schema, inner)};\n`;
  });
  if (fields.length > 0) return `{\n${fields.join('')}${indent}}`;
  return `Record<string, ${typeof additionalProperties === 'object' ? print(additionalProperties, indent) : 'unknown'}>`;
}
