import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { unavailable } from '../../shared/errors.ts';

/** OWASP's parameters for Argon2id, which is the library's default algorithm. One hash takes about 20 ms and 19 MiB. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const MAX_WAITING = 300;

/**
 * Hashing runs on threads beside the event loop, and on fewer of them than there are cores: however many logins wait, a core
 * is left for everybody else's requests. Past a queue that would take many seconds callers are told to come back.
 */
export function createPasswords({ workers }: { workers: number }) {
  const turn = createTurns(Math.max(1, Math.floor((availableParallelism() - 1) / workers)));
  let nobody: Promise<string> | undefined;

  const make = (password: string) => turn(() => hash(password.normalize('NFKC'), PARAMETERS));

  return {
    hash: make,
    /** With no hash (no such user, or one without a password) it takes as long as with one, and is false. */
    async verify(hashed: string | null, password: string): Promise<boolean> {
      nobody ??= make(randomUUID());
      const compared = hashed ?? (await nobody);
      const fits = await turn(() => verify(compared, password.normalize('NFKC')));
      return fits && hashed !== null;
    },
    /** True when it was made with weaker parameters than today's. */
    isOutdated(hashed: string): boolean {
      const { memoryCost, timeCost } = parseOptions(hashed);
      return memoryCost < PARAMETERS.memoryCost || timeCost < PARAMETERS.timeCost;
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

/** Lets at most `max` run at once; the others wait in line. */
function createTurns(max: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function turn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= max) {
      if (waiting.length >= MAX_WAITING) throw unavailable('Too many logins at once. Try again soon.');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
