/** The fields of an event's `data` and `changes` that leave the service: those that the schema of its type declares. */
import Type, { type TObject } from 'typebox';
import type { AccountEventType, EventType } from '../../shared/events.ts';
import { pickFields } from '../../shared/records/pick-fields.ts';

/** The schema of the data of each event type. */
export type EventSchemas = Readonly<Record<EventType | AccountEventType, TObject>>;

type Stored = { type: string; data: unknown; changes?: unknown };
export type PickDeclared = <Row extends Stored>(row: Row) => Row;

/** Events of newer versions of the service may have types that this one doesn't know. They declare nothing. */
const Unknown = Type.Object({});
/** The data of an event after the erasure of its person. */
const Erased = Type.Object({ erased: Type.Boolean() });

const isErased = (data: unknown) => (data as { erased?: unknown } | null)?.erased === true;

const changesOf = ({ properties }: TObject): TObject =>
  Type.Object(
    Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [
        name,
        Type.Object({ old: field, new: field, omitted: Type.Boolean() }),
      ]),
    ),
  );

/** Never throws: events from older versions of the service may have other fields. */
export function createPick(schemas: EventSchemas): PickDeclared {
  const known = new Map<string, TObject>(Object.entries(schemas));
  const changed = new Map<string, TObject>();
  return (row) => {
    const { type, data, changes } = row;
    const schema = known.get(type) ?? Unknown;
    const picked = { ...row, data: pickFields<unknown>(isErased(data) ? Erased : schema, data) };
    if (!changes) return picked;
    if (!changed.has(type)) changed.set(type, changesOf(schema));
    return { ...picked, changes: pickFields(changed.get(type)!, changes) };
  };
}
