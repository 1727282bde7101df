import { invalidField } from '../../shared/errors.ts';

export type EventRow = {
  businessId: string;
  position: number;
  type: string;
  entity: string;
  sequence: number;
  actor: string;
  address: string;
  data: string;
  changes: string | null;
  createdAt: number;
};

const own = (businessId: string) => businessId.replace(/^biz_/, '');

/** Unique among all businesses, because it names its own. */
export const eventId = (businessId: string, position: number) => `evt_${own(businessId)}_${position}`;

/** The position that `after` names: of an event of this business, or `0`. */
export function positionOf(businessId: string, after: string): number {
  const start = `evt_${own(businessId)}_`;
  const digits = after.startsWith(start) ? after.slice(start.length) : after === '0' ? '0' : '';
  if (/^\d{1,15}$/.test(digits)) return Number(digits);
  throw invalidField('after', 'INVALID_VALUE', 'after must be the id of an event of this business, or 0.');
}

/** As JSON. The parts are stored as JSON: they are put together, not parsed. */
export function eventJson(row: EventRow): string {
  const { businessId, position, type, entity, sequence, actor, data, changes, createdAt } = row;
  const head = JSON.stringify({ id: eventId(businessId, position), type, businessId, entity });
  return `${head.slice(0, -1)},"actor":${actor},"sequence":${sequence},"data":${data},"changes":${changes},"createdAt":${createdAt}}`;
}

/** The LIKE patterns of `order.*` and the like. */
export const likePatterns = (types: readonly string[]) =>
  types.map((type) => (type === '*' ? '%' : type.replaceAll('_', '\\_').replace(/\*$/, '%')));
