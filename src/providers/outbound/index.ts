/**
 * All calls to URLs that users provide, such as webhooks and media by URL. Allows only http and https, ports 80, 443 and
 * 1024 or higher, and addresses on the public internet. The host name is resolved once per connection (`resolve.ts`), all its addresses are checked,
 * and the connection goes to a checked address rather than the name. So later DNS changes (rebinding) have no effect.
 * Each redirect passes the same checks.
 */
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Readable } from 'node:stream';
import { isCallable, type Network } from './addresses.ts';
import { createResolve, type Resolve } from './resolve.ts';

/** The URL is not allowed. The message explains why to the user who provided it. */
export class Refused extends Error {}

/** The call failed. */
export class CallFailed extends Error {}
export class TimedOut extends CallFailed {
  constructor(options?: ErrorOptions) {
    super('it timed out', options);
  }
}

type OutboundOptions = {
  /** OUTBOUND_ALLOW: private networks that may be called. */
  allow: readonly Network[];
  /** Replaced in tests. */
  resolve?: Resolve;
};

export type CallOptions = {
  /** The business that provided the URL. */
  businessId: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** 0 returns redirects like any other response. */
  maxRedirects?: number;
  /** Until the headers of the final response arrive. */
  timeoutMs: number;
  /** Reuse the connection for the next call to the same receiver. */
  keepAlive?: boolean;
};

/** The body must be read or destroyed. */
type CallResponse = { status: number; headers: IncomingMessage['headers']; body: Readable; url: string };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_ADDRESSES = 3;
/** How long this machine's own addresses are cached: listing them takes longer than the rest of the check. */
const OWN_ADDRESSES_TTL_MS = 1000;

export function createOutbound({ allow, resolve = createResolve() }: OutboundOptions) {
  let own: string[] = [];
  let ownExpireAtMs = 0;

  function ownAddresses(): string[] {
    if (performance.now() < ownExpireAtMs) return own;
    own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []);
    ownExpireAtMs = performance.now() + OWN_ADDRESSES_TTL_MS;
    return own;
  }

  /** Returns the addresses to connect to. Throws `Refused`. */
  async function addressesOf(url: URL, businessId: string): Promise<string[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(host) ? [host] : await resolve(host, businessId).catch(() => []);
    if (addresses.length === 0) throw new Refused(`the host ${host} could not be resolved`);
    const mine = ownAddresses();
    if (!addresses.every((address) => isCallable(address, allow, mine))) {
      throw new Refused('it points to a private network');
    }
    return addresses;
  }

  async function callOnce(url: URL, options: CallOptions, signal: AbortSignal): Promise<IncomingMessage> {
    const addresses = (await addressesOf(url, options.businessId)).slice(0, MAX_ADDRESSES);
    for (const [i, address] of addresses.entries()) {
      try {
        return await send(url, address, options, signal);
      } catch (error) {
        if (!isUnconnected(error) || i === addresses.length - 1 || signal.aborted) throw error;
      }
    }
    throw new CallFailed('it is unreachable');
  }

  async function follow(first: URL, options: CallOptions, signal: AbortSignal): Promise<CallResponse> {
    let url = first;
    for (let hops = 0; ; hops++) {
      const response = await callOnce(url, options, signal);
      const { statusCode: status = 0, headers } = response;
      const isRedirect = REDIRECTS.has(status) && headers.location !== undefined;
      if (!isRedirect || !options.maxRedirects) return { status, headers, body: response, url: url.href };
      response.destroy();
      if (hops === options.maxRedirects) throw new CallFailed('it has too many redirects');
      url = parseAddress(headers.location!, url);
    }
  }

  return {
    /** Returns why a URL that will be called later is not allowed, or null. It is checked again at each call. */
    async findProblem(text: string, businessId: string): Promise<string | null> {
      try {
        await addressesOf(parseAddress(text), businessId);
        return null;
      } catch (error) {
        if (error instanceof Refused) return error.message;
        throw error;
      }
    },

    /** Throws `Refused` before anything is sent, or `CallFailed`. */
    async call(text: string, options: CallOptions): Promise<CallResponse> {
      // Not AbortSignal.timeout, because its timers outlive their calls and would pile up.
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), options.timeoutMs);
      try {
        return await follow(parseAddress(text), options, controller.signal);
      } catch (error) {
        if (error instanceof Refused || error instanceof CallFailed) throw error;
        if (controller.signal.aborted) throw new TimedOut({ cause: error });
        throw new CallFailed('it is unreachable', { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

export type Outbound = ReturnType<typeof createOutbound>;

/** The WHATWG parser normalizes IPv4 addresses in any notation (`0x7f.1`, `2130706433`) to dotted decimal. */
function parseAddress(text: string, base?: URL): URL {
  // The parser would silently drop these characters.
  if (/[\t\r\n]/.test(text)) throw new Refused('it contains a line break or a tab');
  const url = URL.parse(text, base?.href);
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Refused('it is not an http or https URL');
  if (url.username || url.password) throw new Refused('it contains a username or password');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port !== 80 && port !== 443 && port < 1024) throw new Refused(`port ${port} is not allowed`);
  return url;
}

const isUnconnected = (error: unknown) =>
  ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );

/** Reusing a connection is safe: it was opened to a checked address. */
const IDLE = { keepAlive: true, maxFreeSockets: 200, timeout: 20_000 };
const httpAgent = new HttpAgent(IDLE);
const httpsAgent = new HttpsAgent(IDLE);

function send(url: URL, address: string, options: CallOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const { method = 'GET', headers = {}, body } = options;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const call: ClientRequest = (secure ? requestHttps : requestHttp)({
      // An IP address, so that nothing is resolved again.
      host: address,
      port: url.port || (secure ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      method,
      headers: {
        ...headers,
        host: url.host,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      agent: options.keepAlive ? (secure ? httpsAgent : httpAgent) : false,
      ...(secure && isIP(host) === 0 ? { servername: host } : {}),
      maxHeaderSize: 16_384,
      signal,
    });
    call.once('response', resolve).once('error', reject);
    // For a server that switches protocols (101), neither event is emitted.
    call.once('close', () => reject(new CallFailed('it closed the connection without a response')));
    call.end(body);
  });
}
