/** Calls the service over HTTP. Responses have the client's types for the same operation. */
import type { Api, OPERATIONS } from '../client/src/generated/api.ts';
import type { ErrorAnswer } from '../client/src/generated/types.ts';
import type { List, Page } from '../client/src/list.ts';

// biome-ignore lint/suspicious/noExplicitAny: for bodies of operations that the client doesn't have.
export type Json = any;
export type ApiResponse<Body = Json> = { status: number; body: Body; headers: Headers };
/** A `body` that is not text, bytes or a form is sent as JSON. */
export type CallOptions = { token?: string; body?: unknown; headers?: Record<string, string> };

export function caller(url: string) {
  return async <Method extends string, Path extends string>(
    method: Method,
    path: Path,
    { token, body, headers = {} }: CallOptions = {},
  ): Promise<ApiResponse<BodyOf<Method, Path>>> => {
    const isSentAsIs = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
    const hasJson = body !== undefined && !(body instanceof FormData);
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(hasJson ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      body: isSentAsIs ? (body as string) : JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text };
  };
}

/** The operation's response or an error: a test knows which one to expect. */
export type BodyOf<Method extends string, Path extends string> = Find<`${Method} ${Template<WithoutQuery<Path>>}`>;

type Find<Operation extends string> = Operation extends keyof Bodies ? Bodies[Operation] & ErrorAnswer : Json;

type WithoutQuery<Path extends string> = Path extends `${infer Head}?${string}` ? Head : Path;

/** `/v1/roles/${string}` as `/v1/roles/{}`. */
type Template<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? `${Parameter<Segment>}/${Template<Rest>}`
  : Parameter<Path>;
type Parameter<Segment extends string> = Record<never, never> extends Record<Segment, 1> ? '{}' : Segment;

/** The response types of the client's methods, keyed by `GET /v1/roles/{}`. */
type Bodies = { [Method in Methods as Method['operation']]: Known<Method['body']> };
type Methods = {
  [Group in keyof Api]: MethodsOf<Api[Group], (typeof OPERATIONS)[Group] & { [Name in keyof Api[Group]]: string }>;
}[keyof Api];
type MethodsOf<Group, Texts extends { [Name in keyof Group]: string }> = {
  [Name in keyof Group]: { operation: Unnamed<WithoutFlags<Texts[Name]>>; body: Returned<Group[Name]> };
}[keyof Group];

type WithoutFlags<Text extends string> = Text extends `${infer Method} ${infer Path} ${string}`
  ? `${Method} ${Path}`
  : Text;
type Unnamed<Path extends string> = Path extends `${infer Head}{${string}}${infer Rest}`
  ? `${Head}{}${Unnamed<Rest>}`
  : Path;
type Returned<Method> = Method extends (...args: never[]) => infer Result
  ? Result extends List<infer Item>
    ? Page<Item>
    : Awaited<Result>
  : never;

/** The fields of all members of a union of responses. */
type Known<Body> = unknown extends Body
  ? Json
  : Record<string, unknown> extends Body
    ? Json
    : (Body extends Body ? (one: Body) => void : never) extends (all: infer All) => void
      ? All
      : never;
