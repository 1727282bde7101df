/**
 * The one door for calls to addresses that users name: webhooks, media by URL. http and https only, ports 80, 443 and from 1024
 * on, and only to the public internet. A name is resolved once for each connection, each of its addresses is checked, and the
 * connection is made to a checked address and not to the name: what DNS says a moment later has no part in it. Redirects pass
 * the same checks, hop by hop.
 */
import { lookup } from 'node:dns/promises';
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Readable } from 'node:stream';
import { isCallable, type Network } from './addresses.ts';

/** Why an address is not called, in words for whoever named it. */
export class Refused extends Error {}

/** The call was made, and came to nothing: no answer, no connection, too late. */
export class CallFailed extends Error {}

export type OutboundOptions = {
  /** OUTBOUND_ALLOW: networks that may be called although they are private. */
  allow: readonly Network[];
  /** All addresses of a name; for tests. */
  resolve?: (host: string) => Promise<string[]>;
};

export type CallOptions = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** 0: a redirect is an answer like any other. */
  maxRedirects?: number;
  /** Until the headers of the last answer are there. */
  timeoutMs: number;
  /** Use the connection again for the next call to the same receiver. */
  keepAlive?: boolean;
};

/** The body must be read or destroyed. */
export type CallAnswer = { status: number; headers: IncomingMessage['headers']; body: Readable; url: string };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_ADDRESSES = 3;
/** How long the addresses of this machine itself are remembered: to ask for them takes longer than the rest of the check. */
const OWN_FOR_MS = 1000;

export function createOutbound({ allow, resolve = resolveAll }: OutboundOptions) {
  let own: string[] = [];
  let ownUntilMs = 0;

  function ownAddresses(): string[] {
    if (performance.now() < ownUntilMs) return own;
    own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []);
    ownUntilMs = performance.now() + OWN_FOR_MS;
    return own;
  }

  /** Raises `Refused`. Returns the addresses to connect to. */
  async function addressesOf(url: URL): Promise<string[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(host) ? [host] : await resolve(host).catch(() => []);
    if (addresses.length === 0) throw new Refused(`the name ${host} is not known`);
    const mine = ownAddresses();
    if (!addresses.every((address) => isCallable(address, allow, mine))) {
      throw new Refused('it leads into a private network');
    }
    return addresses;
  }

  async function callOnce(url: URL, options: CallOptions, signal: AbortSignal): Promise<IncomingMessage> {
    const addresses = (await addressesOf(url)).slice(0, MAX_ADDRESSES);
    for (const [i, address] of addresses.entries()) {
      try {
        return await send(url, address, options, signal);
      } catch (error) {
        if (!isUnconnected(error) || i === addresses.length - 1 || signal.aborted) throw error;
      }
    }
    throw new CallFailed('it cannot be reached');
  }

  async function follow(first: URL, options: CallOptions, signal: AbortSignal): Promise<CallAnswer> {
    let url = first;
    for (let hops = 0; ; hops++) {
      const answer = await callOnce(url, options, signal);
      const { statusCode: status = 0, headers } = answer;
      const isRedirect = REDIRECTS.has(status) && headers.location !== undefined;
      if (!isRedirect || !options.maxRedirects) return { status, headers, body: answer, url: url.href };
      answer.destroy();
      if (hops === options.maxRedirects) throw new CallFailed('it redirects too often');
      url = parseAddress(headers.location!, url);
    }
  }

  return {
    /** What is wrong with an address that somebody wants us to call later, or null. It is checked again at each call. */
    async findProblem(text: string): Promise<string | null> {
      try {
        await addressesOf(parseAddress(text));
        return null;
      } catch (error) {
        if (error instanceof Refused) return error.message;
        throw error;
      }
    },

    /** Raises `Refused` before a packet leaves, or `CallFailed`. */
    async call(text: string, options: CallOptions): Promise<CallAnswer> {
      // Not AbortSignal.timeout, whose timer outlives the call: many calls a second would each leave one behind.
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), options.timeoutMs);
      try {
        return await follow(parseAddress(text), options, controller.signal);
      } catch (error) {
        if (error instanceof Refused || error instanceof CallFailed) throw error;
        const why = controller.signal.aborted ? 'it does not answer in time' : 'it cannot be reached';
        throw new CallFailed(why, { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

export type Outbound = ReturnType<typeof createOutbound>;

/** The parser of WHATWG writes an IPv4 address in any notation (`0x7f.1`, `2130706433`) as four decimal numbers. */
function parseAddress(text: string, base?: URL): URL {
  // The parser would leave them out without a word.
  if (/[\t\r\n]/.test(text)) throw new Refused('it has a line break or a tab in it');
  const url = URL.parse(text, base?.href);
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Refused('it is not an http or https address');
  if (url.username || url.password) throw new Refused('it holds a user name or password');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port !== 80 && port !== 443 && port < 1024) throw new Refused(`port ${port} is not allowed`);
  return url;
}

const resolveAll = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address);

const isUnconnected = (error: unknown) =>
  ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );

/** Connections are made to addresses that were checked, so one that is used again leads where it led before. */
const IDLE = { keepAlive: true, maxFreeSockets: 200, timeout: 20_000 };
const httpAgent = new HttpAgent(IDLE);
const httpsAgent = new HttpsAgent(IDLE);

function send(url: URL, address: string, options: CallOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const { method = 'GET', headers = {}, body } = options;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const call: ClientRequest = (secure ? requestHttps : requestHttp)({
      // An address, so that nothing is resolved again.
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
    call.once('response', resolve).once('error', reject).end(body);
  });
}
