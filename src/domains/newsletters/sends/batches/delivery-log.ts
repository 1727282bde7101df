import type { Steps } from '../../context.ts';
import type { SendKey } from '../send-queries.ts';
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

type Request = Mark & { resolve: (permission: Permission) => void; reject: (error: Error) => void };

/**
 * Records outcomes of messages with group commit. A connection submits the outcome of its last message together with its next
 * attempt, and waits. Everything submitted while one statement runs goes into the next statement. So one commit serves several
 * messages, while each connection has at most one message marked ATTEMPTING.
 *
 * While the database is unavailable, outcomes wait in memory, at most one per connection, because a connection sends nothing before
 * its last outcome is stored. They are lost only if the process crashes.
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

  /** Includes permissions from an earlier attempt that was committed although its response was lost. */
  function write(marks: readonly Mark[]): Promise<Map<string, Permission>> {
    const attempts = marks.flatMap(({ next }) => (next ? [next] : []));
    return retry(async (isRepeat) => {
      const permissions = await writeOnce(ctx, send, marks);
      return isRepeat ? new Map([...permissions, ...(await listMarked(ctx.db, send, attempts))]) : permissions;
    });
  }

  return {
    /** Records the outcome of the last message and requests permission to send the next, in one transaction. */
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
    await writeBounces(tx.db, send, bounced, now, tx);
    return writeMarks(tx.db, send, marks, now);
  });
}

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;
