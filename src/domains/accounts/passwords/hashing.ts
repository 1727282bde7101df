import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { createSemaphore, type SemaphoreOptions } from '../../../shared/semaphore.ts';

/** OWASP's parameters for Argon2id, the library's default algorithm. One hash takes about 20 ms and 19 MiB. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashing runs on libuv's four threads, which also sign tokens. One thread is left for signing. */
const MAX_THREADS = 3;

/**
 * Hashing runs off the event loop on fewer threads than there are cores, so a burst of logins always leaves a core for other
 * requests. Once the queue is several seconds long, further logins fail with 503.
 */
export function createPasswords({ workers, ...bounds }: { workers: number } & Omit<SemaphoreOptions, 'max'>) {
  const cores = Math.max(1, Math.floor((availableParallelism() - 1) / workers));
  const semaphore = createSemaphore({ ...bounds, max: Math.min(cores, MAX_THREADS) });
  const decoy = decoyHash();

  return {
    hash: (password: string) => semaphore.run(() => hash(password.normalize('NFKC'), PARAMETERS)),
    /** Without a hash (unknown user, or a user without a password), takes the same time and returns false. */
    async verify(hashed: string | null, password: string): Promise<boolean> {
      const isMatch = await semaphore.run(() => verify(hashed ?? decoy, password.normalize('NFKC')));
      return isMatch && hashed !== null;
    },
    /** True if the hash uses weaker parameters than the current ones. */
    isOutdated(hashed: string): boolean {
      const { memoryCost, timeCost } = parseOptions(hashed);
      return memoryCost < PARAMETERS.memoryCost || timeCost < PARAMETERS.timeCost;
    },
  };
}

/** A well-formed hash of random bytes. It costs as much to verify as a real one, but no password matches it. */
function decoyHash(): string {
  const { memoryCost, timeCost, parallelism } = PARAMETERS;
  const [salt, digest] = [16, 32].map((length) => randomBytes(length).toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`;
}
