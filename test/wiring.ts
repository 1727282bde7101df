/** Compile-time guarantees: `npm run check:types` fails if a line that must not compile does. */
import type { Contexts } from '../src/context/create.ts';
import type { AppServices, Query } from '../src/context/index.ts';
import { query } from '../src/http/command.ts';

type Request = Parameters<typeof query>[0];

export function provideAll(contexts: Contexts, services: AppServices): void {
  contexts.provide(services);
  const { payments: _, ...others } = services;
  // @ts-expect-error The app must provide every service.
  contexts.provide(others);
  // @ts-expect-error It must be the service itself.
  contexts.provide({ ...services, payments: {} });
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
