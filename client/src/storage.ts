/** What a log-in gives. `expiresAt` is in Unix seconds. */
export type Tokens = {
  accessToken: string;
  refreshToken?: string | null;
  expiresAt?: number;
  userId?: string;
  isGuest?: boolean;
};

/** Where tokens are stored: one of the two below, or your own, such as cookies on a server. */
export type TokenStorage = {
  read(): Tokens | null | Promise<Tokens | null>;
  /** Null: logged out. */
  write(tokens: Tokens | null): void | Promise<void>;
  /** Calls the listener when somebody else, such as another tab, has changed them. */
  watch?(listener: (tokens: Tokens | null) => void): void;
};

/**
 * Tokens are gone when the page or process is. With a `channel`, the tabs of a browser tell each other through it: who logs out in
 * one is logged out in all.
 */
export function memoryStorage({
  tokens = null,
  channel,
}: {
  tokens?: Tokens | null;
  channel?: string;
} = {}): TokenStorage {
  let current = tokens;
  const tabs = channel ? new BroadcastChannel(channel) : null;
  // In Node an open channel would keep the process running.
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

/** The part of `localStorage` and `sessionStorage` that is used. */
type WebStorage = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};
type StorageEvents = {
  localStorage?: WebStorage;
  addEventListener?(type: 'storage', listener: (event: { key: string | null }) => void): void;
};

/** Tokens survive a reload, and all tabs share them: who logs out in one is logged out in all. */
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
