import { COMMON_ERRORS, OTHER_ERRORS, SCHEMA_ERRORS_AS_400, USE_CASE_ERRORS } from '../error-codes.ts';
import type { Json } from './components.ts';

type Schema = { properties?: Record<string, Schema> } & Record<string, unknown>;
type Response = { description?: string; $ref?: string; headers?: Json } & Partial<
  Record<'x-error-codes' | 'x-detail-codes', string[]>
>;

const header = (type: string, description: string) => ({ schema: { type }, description });
const HEADERS = {
  ETag: header('string', 'The version of the record, for `If-Match`.'),
  RetryAfter: header('integer', 'The number of seconds to wait before you retry.'),
  SoukLSN: header(
    'string',
    'Only if the service uses a read replica: a position in the write-ahead log after this write. Later requests that send it in the same header see this write.',
  ),
  SoukIgnored: header('string', 'The unknown query parameters and body fields that were ignored, separated by commas.'),
};
const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** Errors that are the same in all operations, by status. */
const ERRORS: Record<string, [name: string, code: string, description: string]> = {
  400: ['BadRequest', 'BAD_REQUEST', 'Malformed request'],
  401: ['Unauthenticated', 'UNAUTHENTICATED', 'Missing or invalid token'],
  403: ['Forbidden', 'FORBIDDEN', 'Missing permission'],
  404: ['NotFound', 'NOT_FOUND', 'Not found'],
  409: ['Conflict', 'CONFLICT', 'The request conflicts with existing data'],
  412: ['PreconditionFailed', 'PRECONDITION_FAILED', 'The record has changed since the version in If-Match'],
  413: ['PayloadTooLarge', 'PAYLOAD_TOO_LARGE', 'The body is too large'],
  415: ['UnsupportedMediaType', 'UNSUPPORTED_MEDIA_TYPE', 'The content type is not supported'],
  429: ['RateLimited', 'RATE_LIMITED', 'Too many requests'],
  503: ['Unavailable', 'UNAVAILABLE', 'Temporarily unavailable'],
};

/** The responses and headers that operations refer to. */
export function describeComponents(components: Json): void {
  components.headers = HEADERS;
  components.responses = Object.fromEntries(
    Object.entries(ERRORS).map(([status, [name]]) => [name, errorResponse(status)]),
  );
}

function errorResponse(status: string): Response & { content: Json } {
  const [, code, description] = ERRORS[status]!;
  return {
    description,
    ...(['429', '503'].includes(status) ? { headers: { 'Retry-After': headerRef('RetryAfter') } } : {}),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    'x-error-codes': [code],
  };
}

/** Adds the errors and headers that all operations of a kind share, and the error codes of this operation. */
export function describeResponses(method: string, operation: Json, resolve: (schema: Json) => Json): void {
  const responses = operation.responses as Record<string, Response>;
  const body = operation.requestBody as { content?: Record<string, { schema?: Json }> } | undefined;
  for (const [status, response] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    const etag = operation['x-versioned'] ? { ETag: headerRef('ETag') } : {};
    const lsn = method === 'get' ? {} : { 'Souk-LSN': headerRef('SoukLSN') };
    response.headers = { ...etag, 'Souk-Ignored': headerRef('SoukIgnored'), ...lsn };
  }
  delete operation['x-versioned'];
  const added = ['429', '503', ...(method === 'get' ? [] : ['409']), ...(body ? ['413', '415'] : [])];
  for (const status of [...Object.keys(responses), ...added]) {
    if (ERRORS[status]) responses[status] = { $ref: `#/components/responses/${ERRORS[status][0]}` };
  }
  const id = operation.operationId as string;
  for (const [status, codes] of Object.entries(OTHER_ERRORS[id] ?? {}))
    responses[status] = { ...errorResponse(status), 'x-detail-codes': [...codes] };
  const invalid = responses['422'];
  if (!invalid) return;
  const bySchema = new Set<string>(COMMON_ERRORS);
  const parameters = ((operation.parameters ?? []) as { schema: Json }[]).map(({ schema }) => schema);
  const bodies = Object.values(body?.content ?? {}).flatMap(({ schema }) => (schema ? [schema] : []));
  for (const schema of [...parameters, ...bodies]) collectCodes(schema, resolve, bySchema, new Set());
  const badRequest = responses['400'];
  if (SCHEMA_ERRORS_AS_400.has(id) && badRequest)
    badRequest['x-detail-codes'] = sorted([...bySchema, ...(badRequest['x-detail-codes'] ?? [])]);
  invalid['x-error-codes'] = ['VALIDATION_FAILED', ...(method === 'post' ? ['IDEMPOTENCY_MISMATCH'] : [])];
  invalid['x-detail-codes'] = sorted([
    ...(SCHEMA_ERRORS_AS_400.has(id) ? [] : bySchema),
    ...(USE_CASE_ERRORS[id] ?? []),
  ]);
  invalid.description = `Invalid fields. Codes in \`details\`: ${invalid['x-detail-codes'].join(', ')}`;
}

const sorted = (codes: readonly string[]) => [...new Set(codes)].sort();

const CODES: Record<string, string> = {
  required: 'REQUIRED',
  type: 'INVALID_TYPE',
  format: 'INVALID_FORMAT',
  pattern: 'INVALID_FORMAT',
  enum: 'INVALID_VALUE',
  const: 'INVALID_VALUE',
  minLength: 'TOO_SHORT',
  minItems: 'TOO_SHORT',
  maxLength: 'TOO_LONG',
  maxItems: 'TOO_LONG',
  minimum: 'OUT_OF_RANGE',
  maximum: 'OUT_OF_RANGE',
  uniqueItems: 'DUPLICATE',
};

/** Adds the codes that validation against the schema can produce. */
function collectCodes(schema: Json, resolve: (schema: Json) => Json, codes: Set<string>, seen: Set<string>): void {
  if (typeof schema.$ref === 'string') {
    if (seen.has(schema.$ref)) return;
    seen.add(schema.$ref);
  }
  const { properties, items, anyOf, ...own } = resolve(schema) as Schema & { items?: Json; anyOf?: Json[] };
  for (const keyword of Object.keys(own)) if (CODES[keyword]) codes.add(CODES[keyword]);
  for (const inner of [...Object.values(properties ?? {}), ...(items ? [items] : []), ...(anyOf ?? [])]) {
    collectCodes(inner as Json, resolve, codes, seen);
  }
}
