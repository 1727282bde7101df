import { List, type Page } from './list.ts';
import { type Call, type CallOptions, request, type Transport } from './request.ts';

/** The methods of a client as text: `{ products: { get: 'GET /v1/businesses/{businessId}/products/{id}' } }`. */
export type OperationTable = Record<string, Record<string, string>>;

type Options = CallOptions & { query?: object };
type Method = (...args: unknown[]) => unknown;

/**
 * Makes the methods of a table. An operation is `METHOD path flags`, and its arguments are: the path's parameters in their order
 * (without `businessId`, which the client knows, unless it names the record itself), then the body or the query, then options. The flags:
 * `list` a list of pages, `body` and `query` what it takes, `business` fills in `businessId` there, `public` needs no token,
 * `text` and `response` what it answers other than JSON.
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
  if (typeof value !== 'string' || value === '') throw new TypeError(`${operation} needs ${parameter}.`);
  return encodeURIComponent(value);
}
