import type { Versioned } from '../../../context/index.ts';
import { violatesUnique } from '../../../db/errors.ts';
import { invalidField, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import {
  type CustomerRecord,
  type CustomerRow,
  deleteCustomerRow,
  insertCustomer,
  lockCustomer,
  updateCustomer,
} from './queries.ts';
import { readCustomer, viewCustomer } from './read-customers.ts';
import type { Customer, CustomerInput } from './schemas.ts';

/** Creates a customer record. It neither checks nor reveals whether an account has this email. */
export async function createCustomer(ctx: Command, input: CustomerInput): Promise<Customer> {
  const { db: tx, businessId, now } = ctx;
  if (!input.email && !input.name && !input.phone) {
    throw invalidField('email', 'REQUIRED', 'A customer must have an email, a name or a phone number.');
  }
  const row: CustomerRecord = {
    businessId,
    id: newId('cust'),
    userId: null,
    email: null,
    name: '',
    phone: null,
    addresses: [],
    shippingAddress: null,
    billingAddress: null,
    note: '',
    consent: null,
    ...input,
    tags: unique(input.tags ?? []),
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await insertCustomer(tx, row).catch(rejectDuplicate);
  const data = viewCustomer(row);
  ctx.emit({ type: 'customer.created', entity: `customer:${row.id}`, data });
  return data;
}

type Change = { id: string; change: CustomerInput };

export async function changeCustomer(ctx: Command, { id, change }: Change): Promise<Versioned<Customer>> {
  const row = await lock(ctx, id);
  const { email, name, tags, ...rest } = change;
  const changed: CustomerRecord = {
    ...row,
    ...rest,
    // A value that comes from the account is not copied to the record when a client sends it back unchanged.
    email: email === undefined || email === row.email ? row.ownEmail : email,
    name: name === undefined || name === row.name ? row.ownName : name,
    tags: unique(tags ?? row.tags),
    version: row.version + 1,
    updatedAt: ctx.now,
  };
  // The email that a guest entered becomes the record's own only when staff change it.
  const isTyped = changed.email !== null && changed.email === row.ownEmail && row.emailKey === null;
  await updateCustomer(ctx.db, changed, { isTyped }).catch(rejectDuplicate);
  const result = await readCustomer(ctx, id);
  const entity = `customer:${id}` as const;
  ctx.emit({ type: 'customer.updated', entity, data: result.record, before: viewCustomer(row) });
  return result;
}

/** Keeps the orders. The next order or subscription creates a new record. */
export async function deleteCustomer(ctx: Command, id: string) {
  const row = await lock(ctx, id);
  await deleteCustomerRow(ctx.db, ctx.businessId, id);
  ctx.emit({ type: 'customer.deleted', entity: `customer:${id}`, data: viewCustomer(row) });
  return SUCCESS;
}

async function lock(ctx: Command, id: string): Promise<CustomerRow> {
  const row = await lockCustomer(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Customer');
  ctx.checkVersion(row.version);
  return row;
}

function rejectDuplicate(error: unknown): never {
  if (!violatesUnique(error, 'customers_email')) throw error;
  throw invalidField('email', 'DUPLICATE', 'Another customer of this business already has this email.');
}

const unique = (tags: string[]) => [...new Set(tags)];
