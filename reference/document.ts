/** Adapts the OpenAPI document for Scalar, which otherwise sends every example value. */

type Schema = {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  minItems?: number;
  minLength?: number;
};

type Parameter = {
  name: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
};

type Operation = {
  operationId: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema; example?: unknown }> };
  'x-access'?: string;
};

export type Api = {
  info: { description?: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Changes the document in place. */
export function adaptDocument(api: Api): void {
  api.info.description = `${api.info.description}\n\nDownload [openapi.json](/openapi.json).`;
  for (const operation of Object.values(api.paths).flatMap((path) => Object.values(path))) {
    operation.description = [operation.description, accessText(operation['x-access'])].filter(Boolean).join('\n\n');
    for (const parameter of operation.parameters ?? []) if (!parameter.required) leaveOut(parameter);
    const body = operation.requestBody?.content['application/json'];
    if (body?.schema) body.example ??= requiredFields(api, body.schema);
  }
}

/** Scalar shows that an operation requires a token, but not the permission. */
function accessText(access = 'public'): string {
  return access === 'public' || access === 'token' ? '' : `Requires the \`${access}\` permission.`;
}

/**
 * Scalar sends the example, or the first enum value, of an optional parameter. Parameters with a default are kept, because
 * sending a default changes nothing.
 */
function leaveOut(parameter: Parameter): void {
  const { description, example, schema } = parameter;
  if (schema?.default !== undefined) return;
  if (example !== undefined) {
    parameter.description = [description, `Example: \`${example}\`.`].filter(Boolean).join(' ');
    delete parameter.example;
  }
  if (schema?.enum) parameter.examples = { default: { value: '' } };
}

/** A body with the required fields only; undefined if all fields are optional. */
function requiredFields(api: Api, schema: Schema): unknown {
  return resolve(api, schema).required?.length ? exampleOf(api, schema) : undefined;
}

function exampleOf(api: Api, schema: Schema): unknown {
  const found = resolve(api, schema);
  const given = found.examples?.[0] ?? found.default ?? found.const ?? found.enum?.[0];
  if (given !== undefined) return given;
  if (found.anyOf) return exampleOf(api, found.anyOf[0]!);
  if (found.type === 'object') {
    return Object.fromEntries((found.required ?? []).map((name) => [name, exampleOf(api, found.properties![name]!)]));
  }
  if (found.type === 'array') return found.minItems ? [exampleOf(api, found.items!)] : [];
  if (found.type === 'boolean') return true;
  if (found.type === 'integer') return found.minimum ?? 1;
  return 'text'.padEnd(found.minLength ?? 0, '-');
}

const resolve = (api: Api, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : api.components.schemas[schema.$ref.replace('#/components/schemas/', '')]!;
