import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { exactly } from './exactly.ts';
import { StorageRefused, type StorageSettings, StorageUnavailable, WrongSize } from './port.ts';

export type S3Settings = Extract<StorageSettings, { type: 's3' }>;

type S3Call = {
  method: string;
  /** Empty for the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** A stream requires its size. */
  body?: string | Readable;
  size?: number;
};

/** Timeout while no data is sent or received. */
const IDLE_MS = 30_000;
/** The server may copy 5 GB before it responds. */
const COPY_MS = 600_000;
const MAX_TEXT_BYTES = 4_194_304;

/** Signed requests to an S3-compatible service. Bodies are streamed in both directions. */
export function createS3Client({ endpoint, bucket, region, key: accessKeyId, secret: secretAccessKey }: S3Settings) {
  const isSecure = endpoint.startsWith('https:');
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });

  const addressOf = (key: string, query: Record<string, string> = {}) => {
    const url = new URL(`${endpoint}/${bucket}${key === '' ? '' : `/${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  };
  const signer = (method: string, url: URL, headers: Record<string, string>, signQuery: boolean) =>
    new AwsV4Signer({ method, url: url.href, headers, accessKeyId, secretAccessKey, region, service: 's3', signQuery });

  /** Resolves for any status. The caller must consume the response body. */
  async function send(given: S3Call, isRetry = false): Promise<IncomingMessage> {
    const { method, key = '', query, headers = {}, body, size } = given;
    const isStream = body !== undefined && typeof body !== 'string';
    // It can fail before `pipeline` listens. An error that nobody listens for would end the process.
    if (isStream) body.once('error', () => {});
    const length = typeof body === 'string' ? Buffer.byteLength(body) : (size ?? 0);
    const signed = await signer(
      method,
      addressOf(key, query),
      { ...headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      false,
    ).sign();
    const isLong = method === 'POST' || 'x-amz-copy-source' in headers;
    return new Promise((resolve, reject) => {
      const call = (isSecure ? requestHttps : requestHttp)(signed.url, {
        method,
        // A stream can't be sent twice, so it gets a new connection, which the server can't have closed yet.
        agent: isStream ? false : agent,
        headers: {
          ...Object.fromEntries(signed.headers),
          ...(body === undefined && method !== 'POST' ? {} : { 'content-length': String(length) }),
        },
        timeout: isLong ? COPY_MS : IDLE_MS,
      });
      const fail = (error: NodeJS.ErrnoException) => {
        const isStale = error.code === 'ECONNRESET' && call.reusedSocket && !isStream && !isRetry;
        if (isStale) send(given, true).then(resolve, reject);
        else reject(error instanceof WrongSize ? error : unreachable(error));
      };
      call.once('response', resolve).once('error', fail);
      // For a server that switches protocols (101), neither event is emitted.
      call.once('close', () => fail(new Error('the connection was closed without a response')));
      call.once('timeout', () => call.destroy(new Error('the request timed out')));
      if (isStream) pipeline(body, exactly(length), call).catch(fail);
      else call.end(body);
    });
  }

  return {
    /** Returns the response, or null for 404. Throws for all other errors. */
    async open(call: S3Call): Promise<IncomingMessage | null> {
      const response = await send(call);
      const { statusCode: status = 0 } = response;
      if (status < 300) return response;
      const text = await readText(response);
      if (status === 404) return null;
      throw errorOf(status, text);
    },
    /** For requests with a short response. */
    async call(call: S3Call): Promise<{ text: string; headers: IncomingMessage['headers'] } | null> {
      const response = await this.open(call);
      return response && { text: await readText(response), headers: response.headers };
    },
    async presign(method: string, key: string, query: Record<string, string>, expireSeconds: number): Promise<string> {
      const url = addressOf(key, { ...query, 'X-Amz-Expires': String(expireSeconds) });
      return (await signer(method, url, {}, true).sign()).url.href;
    },
    close: () => agent.destroy(),
  };
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_TEXT_BYTES) throw new Error('the response is too long');
      chunks.push(chunk);
    }
  } catch (error) {
    throw unreachable(error as Error);
  }
  return Buffer.concat(chunks).toString();
}

/** The message omits the endpoint, which only the operator should know. */
const unreachable = (error: NodeJS.ErrnoException) =>
  new StorageUnavailable(`File storage is unreachable (${error.code ?? error.name}).`, { cause: error });

function errorOf(status: number, text: string): Error {
  const code = textOf(text, 'Code') ?? String(status);
  if (status === 403) return new StorageRefused(`storage rejected the access key or secret (${code})`);
  return new StorageUnavailable(`File storage responded with ${code}.`);
}

/** The text of the first element with this name. The S3 responses we parse are flat. */
export const textOf = (xml: string, name: string): string | null => {
  const found = elementsOf(xml, name).find((inner) => !inner.includes('<'));
  return found === undefined ? null : decodeXml(found);
};

export const elementsOf = (xml: string, name: string): string[] =>
  xml
    .split(`<${name}>`)
    .slice(1)
    .flatMap((rest) => (rest.includes(`</${name}>`) ? [rest.split(`</${name}>`, 1)[0]!] : []));

const decodeXml = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:x22|34);/g, '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
