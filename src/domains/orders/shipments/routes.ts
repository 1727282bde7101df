import { command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessRecordParams, PageOf, Success } from '../../../shared/schemas.ts';
import { readShipments } from '../read-orders.ts';
import { createShipment } from './create-shipment.ts';
import { Shipment, ShipmentInput, ShipmentParams, ShipmentUpdate } from './schemas.ts';
import { deleteShipment, updateShipment } from './update-shipment.ts';

const SHIPMENTS = '/v1/businesses/:businessId/orders/:id/shipments';
const tags = ['Orders'];

export function shipmentRoutes(app: App): void {
  app.post(
    SHIPMENTS,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        summary: 'Ship order items',
        description:
          'Creates a shipment and emails the customer, unless `notify` is false. The order becomes SHIPPED when everything that requires ' +
          'shipping is shipped. Fails with 409 if the order is canceled or nothing is left to ship.',
        params: BusinessRecordParams,
        body: ShipmentInput,
        response: { 200: Shipment },
        operationId: 'createShipment',
      },
    },
    (request) => command(request, createShipment, { ...request.body, orderId: request.params.id }),
  );

  app.get(
    SHIPMENTS,
    {
      config: { access: 'token', widenedBy: 'ORDER_READ' },
      schema: {
        tags,
        operationId: 'listShipments',
        summary: 'List order shipments',
        description: 'Returns all shipments, oldest first.',
        params: BusinessRecordParams,
        response: { 200: PageOf(Shipment) },
      },
    },
    (request) => query(request, readShipments, request.params.id),
  );

  app.put(
    `${SHIPMENTS}/:shipmentId`,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        operationId: 'updateShipment',
        summary: 'Update shipment tracking',
        description: 'Sends no email. `null` removes the tracking.',
        params: ShipmentParams,
        body: ShipmentUpdate,
        response: { 200: Shipment },
      },
    },
    (request) => command(request, updateShipment, { ...request.body, ...pathOf(request.params) }),
  );

  app.delete(
    `${SHIPMENTS}/:shipmentId`,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        operationId: 'deleteShipment',
        summary: 'Undo a shipment',
        description:
          'Use this for a shipment created by mistake. The items can be shipped again, and an order that was SHIPPED returns to its previous status. ' +
          'If the order is canceled, the items return to stock.',
        params: ShipmentParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteShipment, pathOf(request.params)),
  );
}

const pathOf = ({ id, shipmentId }: { id: string; shipmentId: string }) => ({ orderId: id, shipmentId });
