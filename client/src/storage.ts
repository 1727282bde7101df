/** The result of a login. `expiresAt` is in Unix seconds. */
export type Tokens = {
  accessToken: string;
  refreshToken?: string | null;
  expiresAt?: number;
  userId?: string;
  isGuest?: boolean;
};

/** Where tokens are stored: `memoryStorage`, `browserStorage`, or your own, such as cookies on a server. */
export type TokenStorage = {
  read(): Tokens | null | Promise<Tokens | null>;
  /** Null means logged out. */
  write(tokens: Tokens | null): void | Promise<void>;
  /** Calls the listener when something else, such as another tab, has changed the tokens. */
  watch?(listener: (tokens: Tokens | null) => void): void;
};

/**
 * Keeps tokens until the page is closed or the process exits. With a `channel`, browser tabs share them: a logout in one tab logs
 * out all tabs.
 */
export function memoryStorage({
  tokens = null,
  channel,
}: {
  tokens?: Tokens | null;
  channel?: string;
} = {}): TokenStorage {
  let current = tokens;
  // An open channel would keep a Node.js or Deno process running. Only Node.js can prevent that.
  const tabs = channel && !('Deno' in globalThis) ? new BroadcastChannel(channel) : null;
  (tabs as { unref?(): void } | null)?.unref?.();
  return {
    read: () => current,
    write(next) {
      current = next;
      tabs?.postMessage(next);
    },
    watch(listener) {
      tabs?.addEventListener('message', (event) => {
        current = (event as { data?: Tokens | null }).data ?? null;
        listener(current);
      });
    },
  };
}

/** The methods of `localStorage` and `sessionStorage` used here. */
type WebStorage = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};
type StorageEvents = {
  localStorage?: WebStorage;
  addEventListener?(type: 'storage', listener: (event: { key: string | null }) => void): void;
};

/** Keeps tokens across reloads and shares them between tabs: a logout in one tab logs out all tabs. */
export function browserStorage({ key = 'souk', storage }: { key?: string; storage?: WebStorage } = {}): TokenStorage {
  const scope = globalThis as StorageEvents;
  const store = storage ?? scope.localStorage;
  if (!store) return memoryStorage();
  const read = () => {
    try {
      return JSON.parse(store.getItem(key) ?? 'null') as Tokens | null;
    } catch {
      return null;
    }
  };
  return {
    read,
    write: (tokens) => (tokens ? store.setItem(key, JSON.stringify(tokens)) : store.removeItem(key)),
    watch(listener) {
      scope.addEventListener?.('storage', (event) => {
        if (event.key === key || event.key === null) listener(read());
      });
    },
  };
}
