import { isSoukError } from './errors.ts';
import type { TokenStorage, Tokens } from './storage.ts';

type SessionOptions = {
  storage: TokenStorage;
  /** Exchanges tokens for new ones; null if the session has ended. */
  refresh: (tokens: Tokens) => Promise<Tokens | null>;
  /** Gets the first tokens. Returns null to continue without tokens. */
  begin: () => Promise<Tokens | null>;
};

/** The current session. All calls of a client share it; concurrent calls share one token refresh. */
export class ClientSession {
  #options: SessionOptions;
  /** Undefined until the storage has been read. */
  #tokens: Tokens | null | undefined;
  #renewal: Promise<Tokens | null> | null = null;
  #listeners = new Set<(tokens: Tokens | null) => void>();

  constructor(options: SessionOptions) {
    this.#options = options;
    options.storage.watch?.((tokens) => this.#accept(tokens));
  }

  /** The current tokens, or null. */
  async tokens(): Promise<Tokens | null> {
    if (this.#tokens === undefined) {
      const stored = await this.#options.storage.read();
      this.#tokens ??= stored;
    }
    return this.#tokens ?? null;
  }

  /** Sets the tokens, for example after a login elsewhere. Null logs out, including in tabs that share the storage. */
  async set(tokens: Tokens | null): Promise<void> {
    await this.#options.storage.write(tokens);
    this.#accept(tokens);
  }

  /**
   * Calls the listener after each login, refresh and logout, including in tabs that share the storage. Returns a function
   * that removes the listener.
   */
  onChange(listener: (tokens: Tokens | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The access token for a call. Uses `begin` if there is none. */
  async accessToken(): Promise<string | null> {
    const tokens = this.#tokens ?? (await this.tokens()) ?? (await this.#once(null));
    return tokens?.accessToken ?? null;
  }

  /** After a 401: whether there is another token to retry with. */
  async renew(refused: string | null): Promise<boolean> {
    const tokens = await this.tokens();
    if (tokens && tokens.accessToken !== refused) return true;
    return (await this.#once(tokens)) !== null;
  }

  #accept(tokens: Tokens | null): void {
    this.#tokens = tokens;
    for (const listener of this.#listeners) listener(tokens);
  }

  #once(tokens: Tokens | null): Promise<Tokens | null> {
    this.#renewal ??= this.#renewed(tokens).finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async #renewed(tokens: Tokens | null): Promise<Tokens | null> {
    const { refresh, begin } = this.#options;
    const next = (tokens && (await refresh(tokens).catch(endedOrThrow))) ?? (await begin());
    // A login or logout in the meantime takes precedence over a late response.
    if (this.#tokens !== tokens) return this.#tokens ?? null;
    if (tokens !== next) await this.set(next);
    return next;
  }
}

/** A rejected refresh ends the session; an unreachable service does not. */
function endedOrThrow(error: unknown): null {
  if (isSoukError(error) && error.status >= 400 && error.status < 500 && error.status !== 429) return null;
  throw error;
}
