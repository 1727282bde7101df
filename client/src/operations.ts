import { List, type Page } from './list.ts';
import { type Call, type CallOptions, request, type Transport } from './request.ts';

/** The operations of a client: `{ products: { get: 'GET /v1/businesses/{businessId}/products/{id}' } }`. */
type OperationTable = Record<string, Record<string, string>>;

type Options = CallOptions & { query?: object };
type Method = (...args: unknown[]) => unknown;

/**
 * Creates the methods of a table. An operation is `METHOD path flags`. Its arguments are the path parameters in order
 * (`businessId` is filled in by the client, unless it identifies the record itself), then the body or query, then
 * options. The flags: `list` returns a paginated list, `body` and `query` are the accepted input, `business` adds
 * `businessId` to the body or query, `public` needs no token, `text` and `response` are results other than JSON.
 */
export function bindOperations(table: OperationTable, transport: Transport, businessId: string | undefined) {
  const bound: Record<string, Record<string, Method>> = {};
  for (const [group, operations] of Object.entries(table)) {
    const methods: Record<string, Method> = {};
    for (const [name, text] of Object.entries(operations)) {
      methods[name] = bind(`${group}.${name}`, text, transport, businessId);
    }
    bound[group] = methods;
  }
  return bound;
}

function bind(name: string, text: string, transport: Transport, businessId: string | undefined): Method {
  const [method = '', path = '', ...flags] = text.split(' ');
  const has = (flag: string) => flags.includes(flag);
  const takesOne = has('body') || (has('query') && method === 'GET');
  const parts = path.split(/\{(\w+)\}/);
  const namesBusiness = path.endsWith('{businessId}');

  return (...args) => {
    let next = 0;
    let filled = '';
    for (const [i, part] of parts.entries()) {
      if (i % 2 === 0) filled += part;
      else filled += segment(name, part, part === 'businessId' && !namesBusiness ? businessId : args[next++]);
    }
    let given = takesOne ? (args[next++] as object | undefined) : undefined;
    const { query, ...options } = (args[next] ?? {}) as Options;
    if (has('business')) given = { businessId, ...given };
    const call: Call = {
      method,
      path: filled,
      query: has('body') ? query : (given ?? query),
      body: has('body') ? (given ?? {}) : undefined,
      isPublic: has('public'),
      as: has('text') ? 'text' : has('response') ? 'response' : 'json',
    };
    if (!has('list')) return request(transport, call, options);
    return new List((cursor) =>
      request<Page<unknown>>(transport, cursor ? { ...call, query: { ...call.query, cursor } } : call, options),
    );
  };
}

function segment(operation: string, parameter: string, value: unknown): string {
  const isGiven = typeof value === 'number' || (typeof value === 'string' && value !== '');
  if (!isGiven) throw new TypeError(`${operation} requires ${parameter}.`);
  return encodeURIComponent(value);
}
