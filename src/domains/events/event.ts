import { invalidField } from '../../shared/errors.ts';
import { serializerOf } from '../../shared/records/serializer.ts';
import type { PickDeclared } from './event-data.ts';
import { type Actor, Event } from './schemas.ts';

export type EventRow = {
  businessId: string;
  position: number;
  type: string;
  entity: string;
  sequence: number;
  actor: Actor;
  address: string;
  data: unknown;
  changes: Event['changes'];
  createdAt: number;
};

const shortId = (businessId: string) => businessId.replace(/^biz_/, '');

/** Unique across businesses, because it contains the business ID. */
export const eventId = (businessId: string, position: number) => `evt_${shortId(businessId)}_${position}`;

/** Parses `after`: the ID of an event of this business, or `0`. */
export function positionOf(businessId: string, after: string): number {
  const start = `evt_${shortId(businessId)}_`;
  const digits = after.startsWith(start) ? after.slice(start.length) : after === '0' ? '0' : '';
  if (/^\d{1,15}$/.test(digits)) return Number(digits);
  throw invalidField('after', 'INVALID_VALUE', 'after must be the ID of an event in this business, or 0.');
}

/** An event as clients get it. Everything that sends events calls this. */
export function viewEvent({ pickDeclared }: { pickDeclared: PickDeclared }, row: EventRow): Event {
  const { position, address: _, ...event } = pickDeclared(row);
  return { id: eventId(row.businessId, position), ...event };
}

const serialize = serializerOf<Event>(Event);

/** The JSON of an event in streams and webhooks. */
export const eventJson = (events: { pickDeclared: PickDeclared }, row: EventRow): string =>
  serialize(viewEvent(events, row));

/** Converts patterns such as `order.*` to LIKE patterns. */
export const likePatterns = (types: readonly string[]) =>
  types.map((type) => (type === '*' ? '%' : type.replaceAll('_', '\\_').replace(/\*$/, '%')));
