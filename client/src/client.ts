import { type Api, OPERATIONS } from './generated/api.ts';
import { bindOperations } from './operations.ts';
import { request, type StepUpHandler, type Transport } from './request.ts';
import { ClientSession } from './session.ts';
import { memoryStorage, type TokenStorage, type Tokens } from './storage.ts';

export type ClientOptions = {
  /** The base URL of the service: `https://shop.example`. In a browser, `''` is the page's own origin. */
  baseUrl: string;
  /** The business that calls apply to. */
  businessId?: string;
  /** For servers: calls act as the user who owns the key. Never use it in a browser. */
  apiKey?: string;
  /** Where tokens are stored. Defaults to memory. */
  storage?: TokenStorage;
  /** Log in as a guest on the first call that requires a token. */
  guest?: boolean;
  /**
   * Gets new tokens without the refresh token, for example through a route that reads it from a cookie. Return null
   * if logged out.
   */
  refresh?: (tokens: Tokens | null) => Promise<Tokens | null>;
  /**
   * Called when an action requires step-up authentication. Ask the user for a factor, call `users.stepUp` and return its token: the call is
   * then repeated. Without a handler, the call fails with `STEP_UP_REQUIRED`.
   */
  stepUp?: StepUpHandler;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Timeout of each attempt in milliseconds. Defaults to 30,000. */
  timeoutMs?: number;
  /** Maximum number of attempts. Defaults to 5. */
  tries?: number;
};

export type Client = Api & {
  readonly businessId: string | undefined;
  /** The current session. */
  readonly session: ClientSession;
  /** The same client and session for another business. */
  forBusiness(businessId: string): Client;
};

/** The URL without slashes at its end. */
function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}

/** Creates a client. Its calls share one session: log in with `users.login`, log out with `users.logout`. */
export function createClient(options: ClientOptions): Client {
  const transport: Transport = {
    baseUrl: withoutSlashes(options.baseUrl),
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    apiKey: options.apiKey,
    session: new ClientSession({
      storage: options.storage ?? memoryStorage(),
      refresh: options.refresh ?? refresh,
      begin: async () => (await options.refresh?.(null)) ?? (options.guest ? loginAsGuest() : null),
    }),
    stepUp: options.stepUp,
    timeoutMs: options.timeoutMs ?? 30_000,
    tries: options.tries ?? 5,
  };
  const post = (path: string, body: object) =>
    request<Tokens>(transport, { method: 'POST', path, body, isPublic: true });
  const loginAsGuest = () => post('/v1/users/login', { provider: 'GUEST' });
  async function refresh({ refreshToken }: Tokens): Promise<Tokens | null> {
    return refreshToken ? post('/v1/users/refresh', { refreshToken }) : null;
  }
  return clientFor(transport, options.businessId);
}

function clientFor(transport: Transport, businessId: string | undefined): Client {
  const { session } = transport;
  const api = bindOperations(OPERATIONS, transport, businessId) as unknown as Api;
  const { login, logout, codeLogin, loginWithSecondFactor, loginWithPasskey } = api.users;
  const keep = async <T extends Tokens>(tokens: T): Promise<T> => {
    await session.set(tokens);
    return tokens;
  };
  return {
    ...api,
    users: {
      ...api.users,
      login: async (...args) => keep(await login(...args)),
      async codeLogin(...args) {
        const { accessToken, ...result } = await codeLogin(...args);
        return accessToken === undefined ? result : keep({ accessToken, ...result });
      },
      loginWithSecondFactor: async (...args) => keep(await loginWithSecondFactor(...args)),
      loginWithPasskey: async (...args) => keep(await loginWithPasskey(...args)),
      async logout(body, callOptions) {
        const tokens = await session.tokens();
        const token = tokens?.refreshToken ?? tokens?.accessToken;
        try {
          return await logout(token ? { token, ...body } : body, callOptions);
        } finally {
          await session.set(null);
        }
      },
    },
    businessId,
    session,
    forBusiness: (id) => clientFor(transport, id),
  };
}
