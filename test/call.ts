/**
 * Calls the service over HTTP. Responses have the client's types for the same operation. Uses `node:http`, because `fetch` needs
 * twice the CPU time, and the tests make tens of thousands of calls.
 */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Api, OPERATIONS } from '../client/src/generated/api.ts';
import type { ErrorResponse } from '../client/src/generated/types.ts';
import type { List, Page } from '../client/src/list.ts';

// biome-ignore lint/suspicious/noExplicitAny: for bodies of operations that the client doesn't have.
export type Json = any;
export type ApiResponse<Body = Json> = { status: number; body: Body; headers: Headers };
/** A `body` that is not text, bytes or a form is sent as JSON. */
export type CallOptions = { token?: string; body?: unknown; headers?: Record<string, string> };

export function caller(url: string) {
  const agent = new Agent({ keepAlive: true });
  return async <Method extends string, Path extends string>(
    method: Method,
    path: Path,
    { token, body, headers = {} }: CallOptions = {},
  ): Promise<ApiResponse<BodyOf<Method, Path>>> => {
    const { type, bytes } = await encode(body);
    const sending = request(`${url}${path}`, {
      method,
      agent,
      headers: {
        accept: '*/*',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(type ? { 'content-type': type } : {}),
        ...(bytes ? { 'content-length': bytes.length } : {}),
        ...headers,
      },
    });
    // The service may close the connection after its response, before it has read the whole body.
    sending.on('error', () => {});
    sending.end(bytes);
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    let content = '';
    response.setEncoding('utf8').on('data', (chunk) => {
      content += chunk;
    });
    await once(response, 'end');
    const isJson = response.headers['content-type']?.startsWith('application/json');
    return {
      status: response.statusCode!,
      headers: headersOf(response),
      body: isJson && content ? JSON.parse(content) : content,
    };
  };
}

async function encode(body: unknown): Promise<{ type?: string | null; bytes?: Uint8Array }> {
  if (body === undefined) return {};
  if (body instanceof FormData) {
    const form = new Response(body);
    return { type: form.headers.get('content-type'), bytes: await form.bytes() };
  }
  const isSentAsIs = typeof body === 'string' || body instanceof Uint8Array;
  return { type: 'application/json', bytes: Buffer.from(isSentAsIs ? (body as string) : JSON.stringify(body)) };
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  return headers;
}

/** The operation's response or an error: a test knows which one to expect. */
export type BodyOf<Method extends string, Path extends string> = Find<`${Method} ${Template<WithoutQuery<Path>>}`>;

type Find<Operation extends string> = Operation extends keyof Bodies ? Bodies[Operation] & ErrorResponse : Json;

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
