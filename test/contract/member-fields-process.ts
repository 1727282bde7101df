/**
 * Runs the service in its own process on a test's database, with another field in the schemas of members: `undeclared`. Other
 * processes have compiled these schemas already. Sends its URL to the parent.
 */
import pino from 'pino';
import Type from 'typebox';
import { createService } from '../../src/app.ts';
import { Business } from '../../src/domains/businesses/schemas.ts';
import { Return } from '../../src/domains/orders/returns/schemas.ts';
import { Order } from '../../src/domains/orders/schemas.ts';
import { testConfig } from '../config.ts';

const { statuses, paymentStatus, shipments } = Order.properties;
const { configs } = Business.properties;
const { profile, tax, paymentProvider, shippingMethods } = configs.properties;
const schemas: { properties: object }[] = [
  ...[Order, statuses.items, paymentStatus.items, shipments.items],
  ...[Return, Return.properties.statuses.items],
  ...[configs, profile, tax, paymentProvider, shippingMethods.items],
];
for (const { properties } of schemas)
  Object.assign(properties, { undeclared: Type.Optional(Type.String({ maxLength: 100 })) });

const service = await createService({
  config: testConfig({}, process.env.DATA_DIR!),
  target: JSON.parse(process.env.SOUK_TEST_DATABASE!),
  log: pino({ level: 'error' }),
  works: false,
});
process.send?.(await service.listen());
