import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { createSemaphore, type SemaphoreOptions } from '../semaphore.ts';

/** OWASP's parameters for Argon2id, which is the library's default algorithm. One hash takes about 20 ms and 19 MiB. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashes run on libuv's four threads, where tokens are signed too: one thread is left for that. */
const MAX_THREADS = 3;

/**
 * Hashing runs on threads beside the event loop, and on fewer of them than there are cores: however many logins wait, a core
 * is left for everybody else's requests. Past a queue that takes many seconds callers are told to come back.
 */
export function createPasswords({ workers, ...bounds }: { workers: number } & Omit<SemaphoreOptions, 'max'>) {
  const cores = Math.max(1, Math.floor((availableParallelism() - 1) / workers));
  const semaphore = createSemaphore({ ...bounds, max: Math.min(cores, MAX_THREADS) });
  const decoy = decoyHash();

  return {
    hash: (password: string) => semaphore.run(() => hash(password.normalize('NFKC'), PARAMETERS)),
    /** With no hash (no such user, or one without a password) it takes as long as with one, and is false. */
    async verify(hashed: string | null, password: string): Promise<boolean> {
      const fits = await semaphore.run(() => verify(hashed ?? decoy, password.normalize('NFKC')));
      return fits && hashed !== null;
    },
    /** True when it was made with weaker parameters than today's. */
    isOutdated(hashed: string): boolean {
      const { memoryCost, timeCost } = parseOptions(hashed);
      return memoryCost < PARAMETERS.memoryCost || timeCost < PARAMETERS.timeCost;
    },
  };
}

/** In the form of a hash and as expensive to verify, but of random bytes: no password is known to fit. */
function decoyHash(): string {
  const { memoryCost, timeCost, parallelism } = PARAMETERS;
  const [salt, digest] = [16, 32].map((length) => randomBytes(length).toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`;
}
