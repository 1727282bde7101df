import type { EventType } from '../../shared/events.ts';
import type { Command } from './context.ts';
import { toItem } from './item.ts';
import type { MediaRow } from './queries.ts';

export function emitMedia(ctx: Command, type: EventType, row: MediaRow, previous?: MediaRow): void {
  const shown = (each: MediaRow) => toItem(each, ctx.media.baseUrl());
  ctx.emit({ type, entity: `media:${row.id}`, data: shown(row), before: previous && shown(previous) });
}
