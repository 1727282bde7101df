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

/** A record of the business's own. Whether an account has this address is neither asked nor told. */
export async function createCustomer(ctx: Command, input: CustomerInput): Promise<Customer> {
  const { db: tx, businessId, now } = ctx;
  if (!input.email && !input.name && !input.phone) {
    throw invalidField('email', 'REQUIRED', 'A customer needs an e-mail, a name or a phone number.');
  }
  const row: CustomerRecord = {
    ...{ businessId, id: newId('cust'), userId: null, email: null, name: '', phone: null, addresses: [], note: '' },
    ...{ consent: null, ...input, tags: unique(input.tags ?? []), version: 1, createdAt: now, updatedAt: now },
  };
  await insertCustomer(tx, row).catch(refuseTaken);
  const data = viewCustomer(row);
  await ctx.emit({ type: 'customer.created', entity: `customer:${row.id}`, data });
  return data;
}

type Change = { id: string; change: CustomerInput };

export async function changeCustomer(ctx: Command, { id, change }: Change): Promise<Versioned<Customer>> {
  const row = await lock(ctx, id);
  const { email, name, tags, ...rest } = change;
  const changed: CustomerRecord = {
    ...row,
    ...rest,
    // What was only shown, because the account says so, does not become the record's own when it is sent back.
    email: email === undefined || email === row.email ? row.ownEmail : email,
    name: name === undefined || name === row.name ? row.ownName : name,
    tags: unique(tags ?? row.tags),
    version: row.version + 1,
    updatedAt: ctx.now,
  };
  await updateCustomer(ctx.db, changed).catch(refuseTaken);
  const answer = await readCustomer(ctx, id);
  const entity = `customer:${id}` as const;
  await ctx.emit({ type: 'customer.updated', entity, data: answer.record, before: viewCustomer(row) });
  return answer;
}

/** The orders stay. Whoever acts here again has a record again. */
export async function deleteCustomer(ctx: Command, id: string) {
  const row = await lock(ctx, id);
  await deleteCustomerRow(ctx.db, ctx.businessId, id);
  await ctx.emit({ type: 'customer.deleted', entity: `customer:${id}`, data: viewCustomer(row) });
  return SUCCESS;
}

async function lock(ctx: Command, id: string): Promise<CustomerRow> {
  const row = await lockCustomer(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Customer');
  ctx.checkVersion(row.version);
  return row;
}

function refuseTaken(error: unknown): never {
  if (!violatesUnique(error, 'customers_email')) throw error;
  throw invalidField('email', 'DUPLICATE', 'Another customer of this business has this e-mail.');
}

const unique = (tags: string[]) => [...new Set(tags)];
