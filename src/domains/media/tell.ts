import type { EventType } from '../../shared/events.ts';
import type { Command } from './context.ts';
import { toItem } from './item.ts';
import type { MediaRow } from './queries.ts';

export function tellMedia(ctx: Command, type: EventType, row: MediaRow, former?: MediaRow): Promise<void> {
  const shown = (each: MediaRow) => toItem(each, ctx.media.baseUrl());
  return ctx.emit({ type, entity: `media:${row.id}`, data: shown(row), before: former && shown(former) });
}
