import type { Steps } from '../context.ts';
import type { DatabaseRetry } from './database-retry.ts';
import {
  type Attempt,
  listMarked,
  type Mark,
  type Outcome,
  type Permission,
  writeBounces,
  writeMarks,
} from './mark-queries.ts';
import type { SendKey } from './send-queries.ts';

type Request = Mark & { resolve: (permission: Permission) => void; reject: (error: Error) => void };

/**
 * Writes what happens to each message, as it happens. A connection hands in the outcome of its last message together with the
 * attempt of its next, and waits; what all connections hand in while one statement runs goes with the following one. So one
 * statement and one commit serve several messages, and yet at no moment more than one message for each connection is marked
 * ATTEMPTING.
 *
 * While the database is away outcomes wait here, at most one for each connection, because a connection sends nothing before its
 * last outcome is written. Only a process that dies loses them.
 */
export function createDeliveryLog(ctx: Steps, send: SendKey, retry: DatabaseRetry) {
  let waiting: Request[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const requests = waiting;
      waiting = [];
      try {
        const permissions = await write(requests);
        for (const { next, resolve } of requests) resolve(permissions.get(next?.subscriptionId ?? '') ?? 'LEASE_LOST');
      } catch (error) {
        for (const { reject } of requests) reject(error as Error);
      }
    }
    isWriting = false;
  }

  /** The permissions, also those of a try that was committed although its answer was lost. */
  function write(marks: readonly Mark[]): Promise<Map<string, Permission>> {
    const attempts = marks.flatMap(({ next }) => (next ? [next] : []));
    return retry(async (isRepeat) => {
      const permissions = await writeOnce(ctx, send, marks);
      return isRepeat ? new Map([...permissions, ...(await listMarked(ctx.db, send, attempts))]) : permissions;
    });
  }

  return {
    /** Records how the last message ended and asks for permission to send the next, in one transaction. */
    write(outcome: Outcome | null, next: Attempt | null): Promise<Permission> {
      return new Promise((resolve, reject) => {
        waiting.push({ outcome, next, resolve, reject });
        if (!isWriting) writeAll();
      });
    },
  };
}

async function writeOnce(ctx: Steps, send: SendKey, marks: readonly Mark[]): Promise<Map<string, Permission>> {
  const now = ctx.clock.seconds();
  const bounced = marks.flatMap(({ outcome }) => (outcome?.isBounce ? [outcome.attempt.subscriptionId] : []));
  if (bounced.length === 0) return ctx.write((tx) => writeMarks(tx, send, marks, now));
  return ctx.transaction(async (tx) => {
    await writeBounces(tx.db, send.businessId, bounced, now, tx);
    return writeMarks(tx.db, send, marks, now);
  });
}

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;
