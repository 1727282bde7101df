import { randomUUID } from 'node:crypto';
import type { Platform } from '../context/index.ts';
import type { Events } from '../domains/events/index.ts';
import type { CdnPurge } from '../providers/cdn/port.ts';

const PURGE = 'cdn-purge';
/** Records that pages show. The entity of an event is the surrogate key of its pages. */
const SHOWN = /^(product|category|entry|collection|business|redirect):/;

/** The keys of the pages that show one of these records, or a list of them. */
function keysOf(entities: readonly string[]): string[] {
  const shown = entities.filter((entity) => SHOWN.test(entity));
  const lists = shown.flatMap((entity) => {
    const [kind] = entity.split(':');
    return kind === 'product' ? ['products'] : kind === 'entry' ? ['entries'] : [];
  });
  return [...new Set([...shown, ...lists])];
}

/** Drops pages from the CDN after their records changed. Failed calls are retried. */
export function purgeOnChange(platform: Platform, events: Events, cdn: CdnPurge): void {
  platform.handleTasks<{ id: string; keys: string[] }>({
    name: PURGE,
    handle: ({ businessId, now }, { id, keys }) => cdn.purge({ id, businessId, keys, nowSeconds: now }),
  });
  events.onNumbered(async (ctx, numbered) => {
    const keys = keysOf(numbered.map(({ entity }) => entity));
    if (keys.length > 0) await ctx.enqueue(PURGE, { id: `purge_${randomUUID()}`, keys });
  });
}
