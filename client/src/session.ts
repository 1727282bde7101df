import { isSoukError } from './errors.ts';
import type { TokenStorage, Tokens } from './storage.ts';

export type SessionOptions = {
  storage: TokenStorage;
  /** New tokens for old ones; null when the session has ended. */
  refresh: (tokens: Tokens) => Promise<Tokens | null>;
  /** Tokens for somebody who has none, or null to go without. */
  begin: () => Promise<Tokens | null>;
};

/** Who is logged in. All calls of a client share one; tokens are renewed once for all calls that wait for them. */
export class ClientSession {
  #options: SessionOptions;
  /** Undefined: the storage has not been read yet. */
  #tokens: Tokens | null | undefined;
  #renewal: Promise<Tokens | null> | null = null;
  #listeners = new Set<(tokens: Tokens | null) => void>();

  constructor(options: SessionOptions) {
    this.#options = options;
    options.storage.watch?.((tokens) => this.#accept(tokens));
  }

  /** The tokens in use, or null. */
  async tokens(): Promise<Tokens | null> {
    if (this.#tokens === undefined) {
      const stored = await this.#options.storage.read();
      this.#tokens ??= stored;
    }
    return this.#tokens ?? null;
  }

  /** Uses these tokens from now on, for example after a log-in that happened elsewhere. Null logs out here, and in every tab. */
  async set(tokens: Tokens | null): Promise<void> {
    await this.#options.storage.write(tokens);
    this.#accept(tokens);
  }

  /** Calls the listener after each log-in, refresh and log-out, whichever tab it happened in. Returns how to stop that. */
  onChange(listener: (tokens: Tokens | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** For a call: the access token, which is made first where `begin` does so. */
  async accessToken(): Promise<string | null> {
    const tokens = this.#tokens ?? (await this.tokens()) ?? (await this.#once(null));
    return tokens?.accessToken ?? null;
  }

  /** After a 401: whether there is another token to try with. */
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
    // Who has logged out or in meanwhile is not overruled by a late answer.
    if (this.#tokens !== tokens) return this.#tokens ?? null;
    if (tokens !== next) await this.set(next);
    return next;
  }
}

/** A refused refresh is the end of the session; a service that is away is not. */
function endedOrThrow(error: unknown): null {
  if (isSoukError(error) && error.status >= 400 && error.status < 500 && error.status !== 429) return null;
  throw error;
}
