import Type, { type Static } from 'typebox';
import { BusinessId, Id, Input, Nullable, OneOf, Quantity, Timestamp } from '../../../shared/schemas.ts';
import { LineId } from '../../pricing/index.ts';

const OneLine = (maxLength: number, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\x00-\\x1f\\x7f]*$', examples: [example] });

export const Tracking = Input(
  {
    carrier: Type.Optional(OneLine(100, 'DHL')),
    number: Type.Optional(OneLine(100, '00340434161094042557')),
    url: Type.Optional(
      Type.String({
        maxLength: 2000,
        pattern: '^https?://[^\\s\\x00-\\x1f\\x7f]+$',
        examples: ['https://carrier.example/00340434161094042557'],
      }),
    ),
  },
  { description: 'Tracking information for the shipment.' },
);
export type Tracking = Static<typeof Tracking>;

export const FULFILLMENTS = ['UNFULFILLED', 'PARTIAL', 'FULFILLED'] as const;
export const Fulfillment = OneOf(FULFILLMENTS, {
  description: 'Whether the items that require shipping were shipped: none, some or all of them.',
  examples: ['PARTIAL'],
});
export type Fulfillment = Static<typeof Fulfillment>;

export const ShipmentLine = Input({
  lineId: Type.String({ ...LineId, description: 'The `id` of a line of the order.' }),
  quantity: Quantity,
});
export type ShipmentLine = Static<typeof ShipmentLine>;

/** The lines of an order that staff created. */
const MAX_SHIPMENT_LINES = 500;
const lines = Type.Array(ShipmentLine, { minItems: 1, maxItems: MAX_SHIPMENT_LINES });

export const MAX_SHIPMENTS = 250;

const shipmentFields = {
  id: Type.String({ ...Id, examples: ['shp_01jd3x8q6kz5v0n4t7w2m9c1ab'] }),
  lines,
  tracking: Type.Optional(Tracking),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
const description = 'Items of an order that were shipped together.';
/** A shipment as the customer sees it. */
export const CustomerShipment = Input(shipmentFields, { description });
export const Shipment = Input(
  {
    ...shipmentFields,
    userId: Type.Optional(
      Type.String({ ...Id, description: 'The member who shipped it. Requires `ORDER_READ` or `ORDER_WRITE`.' }),
    ),
  },
  { description },
);
export type Shipment = Static<typeof Shipment>;

export const ShipmentInput = Input({
  lines: Type.Optional({ ...lines, description: 'The items in the shipment. Defaults to everything left to ship.' }),
  tracking: Type.Optional(Nullable(Tracking)),
  notify: Type.Optional(Type.Boolean({ description: 'If false, the customer is not emailed. Defaults to true.' })),
});
export type ShipmentInput = Static<typeof ShipmentInput>;

export const ShipmentUpdate = Input({
  tracking: Type.Optional(Nullable(Tracking)),
});
export type ShipmentUpdate = Static<typeof ShipmentUpdate>;

export const ShipmentParams = Type.Object({ businessId: BusinessId, id: Id, shipmentId: Id });
