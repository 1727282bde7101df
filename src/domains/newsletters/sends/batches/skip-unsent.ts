import { randomUUID } from 'node:crypto';
import type { Steps } from '../../context.ts';
import type { SendRow } from '../send-queries.ts';
import { claimBatch, releaseBatch, skipBatch } from './queries.ts';

/** Marks the unsent deliveries of a canceled send as SKIPPED, batch by batch, once no worker leases them. */
export async function skipUnsent(ctx: Steps, send: SendRow): Promise<void> {
  const owner = randomUUID();
  for (let isFound = true; isFound; ) {
    isFound = await ctx.transaction(async ({ db: tx, now, config }) => {
      const batch = await claimBatch(tx, send, owner, config.mailLeaseSeconds, Number.MAX_SAFE_INTEGER);
      if (!batch) return false;
      await skipBatch(tx, send, batch, now);
      await releaseBatch(tx, send, batch, owner, 'HOLD', 0);
      return true;
    });
  }
}
