import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { exactly } from './exactly.ts';
import { StorageAway, StorageRefused, type StorageSettings, WrongSize } from './port.ts';

export type S3Settings = Extract<StorageSettings, { type: 's3' }>;

export type S3Call = {
  method: string;
  /** Empty: the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** A stream needs its size. */
  body?: string | Readable;
  size?: number;
};

/** While nothing arrives and nothing leaves. */
const IDLE_MS = 30_000;
/** The store may copy five gigabytes before it answers. */
const COPY_MS = 600_000;
const MAX_TEXT_BYTES = 4_194_304;

/** Signed calls to an S3-compatible store. Bodies are streams in both directions. */
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

  /** Whatever the status: the body of the answer must be read. */
  async function send(given: S3Call, isRetry = false): Promise<IncomingMessage> {
    const { method, key = '', query, headers = {}, body, size } = given;
    const length = typeof body === 'string' ? Buffer.byteLength(body) : (size ?? 0);
    const signed = await signer(
      method,
      addressOf(key, query),
      { ...headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      false,
    ).sign();
    const isStream = body !== undefined && typeof body !== 'string';
    const isLong = method === 'POST' || 'x-amz-copy-source' in headers;
    return new Promise((resolve, reject) => {
      const call = (isSecure ? requestHttps : requestHttp)(signed.url, {
        method,
        // A stream cannot be sent twice, so it gets a connection that the store has not closed meanwhile.
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
        else reject(error instanceof WrongSize ? error : away(error));
      };
      call.once('response', resolve).once('error', fail);
      call.once('timeout', () => call.destroy(new Error('it does not answer')));
      if (isStream) pipeline(body, exactly(length), call).catch(fail);
      else call.end(body);
    });
  }

  return {
    /** The answer, or null for 404. Raises for every other error. */
    async open(call: S3Call): Promise<IncomingMessage | null> {
      const answer = await send(call);
      const { statusCode: status = 0 } = answer;
      if (status < 300) return answer;
      const text = await readText(answer);
      if (status === 404) return null;
      throw errorOf(status, text);
    },
    /** For calls whose answer is short. */
    async call(call: S3Call): Promise<{ text: string; headers: IncomingMessage['headers'] } | null> {
      const answer = await this.open(call);
      return answer && { text: await readText(answer), headers: answer.headers };
    },
    async presign(method: string, key: string, query: Record<string, string>, expireSeconds: number): Promise<string> {
      const url = addressOf(key, { ...query, 'X-Amz-Expires': String(expireSeconds) });
      return (await signer(method, url, {}, true).sign()).url.href;
    },
    close: () => agent.destroy(),
  };
}

export type S3Client = ReturnType<typeof createS3Client>;

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_TEXT_BYTES) throw new Error('its answer is too long');
      chunks.push(chunk);
    }
  } catch (error) {
    throw away(error as Error);
  }
  return Buffer.concat(chunks).toString();
}

/** Without the address of the store, which is nobody's business but the operator's. */
const away = (error: NodeJS.ErrnoException) =>
  new StorageAway(`The file store cannot be reached (${error.code ?? error.name}).`, { cause: error });

function errorOf(status: number, text: string): Error {
  const code = textOf(text, 'Code') ?? String(status);
  if (status === 403) return new StorageRefused(`the store refuses the key or its secret (${code})`);
  return new StorageAway(`The file store answered ${code}.`);
}

/** The first element of this name. The XML of S3 is flat where we look. */
export const textOf = (xml: string, name: string): string | null => {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found === undefined ? null : decodeXml(found);
};

export const elementsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner]) => inner!);

const decodeXml = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:x22|34);/g, '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
