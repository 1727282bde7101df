/** Compile-time guarantees: `npm run check:types` fails if a line that must not compile does. */
import { createContexts } from '../src/context/create.ts';
import type { AppServices, Query } from '../src/context/index.ts';
import { query } from '../src/http/command.ts';
import { createServer, type ServerOptions } from '../src/http/server.ts';
import type { createServices } from '../src/services.ts';

type Request = Parameters<typeof query>[0];
type ContextOptions = Parameters<typeof createContexts>[0];
type Created = Awaited<ReturnType<typeof createServices>>;

export function createAll(services: AppServices): Created[] {
  const { payments: _payments, ...withoutPayments } = services;
  const { orders: _orders, ...withoutOrders } = services;
  return [
    services,
    // @ts-expect-error services.ts must create every service.
    withoutPayments,
    // @ts-expect-error createOrders registers the background work of orders.
    withoutOrders,
    // @ts-expect-error It must be the service itself.
    { ...services, payments: {} },
  ];
}

export function provideAll(options: ContextOptions, server: ServerOptions): void {
  createContexts(options);
  const { services: _services, ...withoutServices } = options;
  // @ts-expect-error app.ts must provide the services.
  createContexts(withoutServices);
  const { contexts: _contexts, ...withoutContexts } = server;
  // @ts-expect-error app.ts must create the contexts.
  void createServer(withoutContexts);
}

export function runUseCases(request: Request): void {
  const countPayments = async (_ctx: Query<Pick<AppServices, 'payments'>>, _input: string) => 1;
  void query(request, countPayments, 'all');
  // @ts-expect-error The use case takes a different input.
  void query(request, countPayments, 1);
  const countInvoices = async (_ctx: Query<{ invoices: object }>, _input: string) => 1;
  // @ts-expect-error The app has no such service.
  void query(request, countInvoices, 'all');
}
