import type { Event, EventData } from './generated/types.ts';

/** An event with the data of its type: if `event.type` is `order.created`, `event.data` is an `Order`. */
export type TypedEvent = {
  [Type in keyof EventData]: Event & { type: Type; data: EventData[Type] };
}[keyof EventData];
