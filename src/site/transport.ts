import type { InjectOptions } from 'fastify';
import type { Client, ClientOptions } from '../../client/src/index.ts';
import type { SiteSession } from '../../storefront/contract.ts';
import type { SiteModule } from '../../storefront/module.ts';
import { FROM_PRIMARY } from '../http/read-position.ts';
import type { App } from '../http/server.ts';
import { VISITOR_TOKEN } from './visitor.ts';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** Calls the routes of this process without a connection, on behalf of the visitor's address. */
const inProcess =
  (app: App, address: string, visitor: () => Record<string, string> = () => ({})): Fetch =>
  async (url, { method = 'GET', headers, body }) => {
    const response = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: { ...(headers as Record<string, string>), ...FROM_PRIMARY, ...visitor() },
      ...(body ? { payload: body as string } : {}),
      remoteAddress: address,
    });
    const { statusCode, headers: received } = response;
    // A real Response costs more than most of the calls.
    return {
      ok: statusCode < 300,
      status: statusCode,
      url,
      headers: { get: (name: string) => (received[name] as string | undefined) ?? null },
      text: async () => response.body,
      arrayBuffer: async () => response.rawPayload,
    } as unknown as Response;
  };

/** The client for pages that are the same for everyone. It reads as a visitor. */
export const anonymousClient = (app: App, module: SiteModule, businessId: string): Client =>
  module.createClient({
    baseUrl: '',
    businessId,
    apiKey: VISITOR_TOKEN,
    fetch: inProcess(app, '127.0.0.1'),
    tries: 1,
  });

/** Serves some reads from unsaved records. Null means that the service handles the request. */
export type Override = (path: string, query: URLSearchParams) => object | null;

/** Reads as a visitor, with unsaved records in place of the stored ones. */
export function previewClient(app: App, module: SiteModule, businessId: string, override: Override): Client {
  const stored = inProcess(app, '127.0.0.1');
  return module.createClient({
    baseUrl: '',
    businessId,
    apiKey: VISITOR_TOKEN,
    tries: 1,
    fetch: async (url, init) => {
      const { pathname, searchParams } = new URL(url, 'http://site');
      const unsaved = override(pathname.slice(`/v1/businesses/${businessId}`.length), searchParams);
      if (!unsaved) return stored(url, init);
      return new Response(JSON.stringify(unsaved), { headers: { 'content-type': 'application/json' } });
    },
  });
}

type PersonalOptions = {
  address: string;
  locale: string;
  /** The site: passkeys belong to its host. */
  origin: string;
  userAgent: string;
  businessId: string;
  /** Whether a visitor without a valid token becomes a guest. */
  guest: boolean;
  read: () => SiteSession | null;
  write: (session: SiteSession | null) => void;
};

/** The client of a session. Its tokens are in the session, even after they are refreshed. */
export function personalClient(app: App, module: SiteModule, options: PersonalOptions): Client {
  const { address, locale, origin, userAgent, businessId, guest, read, write } = options;
  const visitor = () => {
    const { stepUp = '' } = read() ?? {};
    return { 'accept-language': locale, origin, 'user-agent': userAgent, 'souk-step-up': stepUp };
  };
  return module.createClient({
    baseUrl: '',
    businessId,
    guest,
    fetch: inProcess(app, address, visitor),
    tries: 1,
    storage: {
      read() {
        const { accessToken, refreshToken, isGuest = false } = read() ?? {};
        return accessToken ? { accessToken, refreshToken: refreshToken ?? null, isGuest } : null;
      },
      write(tokens) {
        const { accessToken: _, refreshToken: __, isGuest: ___, ...rest } = read() ?? {};
        const { accessToken, refreshToken, isGuest } = tokens ?? {};
        write({ ...rest, ...(accessToken && { accessToken, refreshToken: refreshToken ?? undefined, isGuest }) });
      },
    },
  });
}
