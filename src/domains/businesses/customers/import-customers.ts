/** Imports customers in batches. Existing customers are found by ID or email. */
import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '../../../shared/errors.ts';
import { isId, keptId, type PreviousIdentity } from '../../../shared/ids.ts';
import { completeAddress } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { insertCustomers, lockCustomersOf } from './import-queries.ts';
import type { CustomerRow } from './queries.ts';
import { viewCustomer } from './read-customers.ts';
import { changeCustomer } from './save-customer.ts';
import type { Customer, CustomerInput } from './schemas.ts';

export type CustomerImport = PreviousIdentity & {
  /** Already validated against the schema. */
  input: CustomerInput;
  /** Where the customer consented to receive email. Existing consent is kept. */
  consentSource?: string | undefined;
  consentAt?: number | undefined;
};

type CustomerOutcome = { result: 'CREATED' | 'UPDATED' | 'UNCHANGED'; id: string } | { errors: FieldError[] };

/** Returns one outcome per record, in the same order. */
export async function importCustomers(ctx: Command, records: readonly CustomerImport[]): Promise<CustomerOutcome[]> {
  const { db: tx, businessId } = ctx;
  const emails = records.flatMap(({ input }) => (input.email ? [input.email.toLowerCase()] : []));
  const ids = records.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const rows = await lockCustomersOf(tx, businessId, ids, emails);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byEmail = new Map(rows.flatMap((row) => (row.email === null ? [] : [[row.email.toLowerCase(), row] as const])));
  const created: Customer[] = [];
  const outcomes: CustomerOutcome[] = [];
  for (const record of records) {
    const email = record.input.email?.toLowerCase();
    const row = (record.id === undefined ? undefined : byId.get(record.id)) ?? (email ? byEmail.get(email) : undefined);
    const other = email ? byEmail.get(email) : undefined;
    const isNewEmail = email !== row?.email?.toLowerCase();
    if (row && other && other.id !== row.id && isNewEmail) outcomes.push({ errors: [taken] });
    else if (row) outcomes.push(await update(ctx, row, record));
    else if (!email && !record.input.name && !record.input.phone && !isOwnId(record))
      outcomes.push({ errors: [empty] });
    else {
      const customer = compose(ctx, record);
      created.push(customer);
      outcomes.push({ result: 'CREATED', id: customer.id });
    }
  }
  await insertCustomers(ctx, created);
  return outcomes;
}

/**
 * Returns the customer ID of each person for orders: the user's ID or else the record's. Leaves existing records unchanged. New records
 * emit no events, because an import of orders can create thousands.
 */
export async function ensureCustomers(ctx: Command, people: readonly CustomerImport[]): Promise<string[]> {
  if (people.length === 0) return [];
  const emails = people.flatMap(({ input }) => (input.email ? [input.email.toLowerCase()] : []));
  const ids = people.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const rows = await lockCustomersOf(ctx.db, ctx.businessId, ids, emails);
  const known = new Map(
    rows.flatMap((row): [string, string][] => {
      const id = row.userId ?? row.id;
      return [[row.id, id], ...(row.email === null ? [] : ([[row.email.toLowerCase(), id]] as [string, string][]))];
    }),
  );
  const created: Customer[] = [];
  const found = people.map((person) => {
    const key = person.input.email?.toLowerCase() ?? person.id!;
    const id = known.get(key);
    if (id !== undefined) return id;
    const customer = compose(ctx, person);
    created.push(customer);
    known.set(key, customer.id);
    return customer.id;
  });
  await insertCustomers(ctx, created, { isSilent: true });
  return found;
}

/** A guest may have no email, name or phone number. Their ID comes from an export. */
const isOwnId = ({ id }: CustomerImport) => id !== undefined && isId('cust', id);

const empty: FieldError = {
  field: 'email',
  error: 'REQUIRED',
  message: 'A customer must have an email, a name or a phone number.',
};
const taken: FieldError = {
  field: 'email',
  error: 'DUPLICATE',
  message: 'Another customer of this business already has this email.',
};

function compose(
  { businessId, now }: Command,
  { id, createdAt, updatedAt, input, consentSource, consentAt }: CustomerImport,
): Customer {
  return {
    id: keptId('cust', id),
    businessId,
    userId: null,
    hasAccount: false,
    email: input.email ?? null,
    name: input.name ?? '',
    phone: input.phone ?? null,
    addresses: (input.addresses ?? []).map(completeAddress),
    shippingAddress: input.shippingAddress ? completeAddress(input.shippingAddress) : null,
    billingAddress: input.billingAddress ? completeAddress(input.billingAddress) : null,
    tags: [...new Set(input.tags ?? [])],
    note: input.note ?? '',
    consent: input.consent ?? (consentSource ? { source: consentSource, at: consentAt ?? now } : null),
    createdAt: createdAt ?? now,
    updatedAt: updatedAt ?? now,
  };
}

async function update(
  ctx: Command,
  row: CustomerRow,
  { input, consentSource, consentAt }: CustomerImport,
): Promise<CustomerOutcome> {
  const { email, ...rest } = input;
  const change: CustomerInput = {
    ...rest,
    // Emails that differ only in case are the same.
    ...(email && email.toLowerCase() !== row.email?.toLowerCase() ? { email } : {}),
    ...(input.addresses ? { addresses: input.addresses.map(completeAddress) } : {}),
    ...(input.shippingAddress ? { shippingAddress: completeAddress(input.shippingAddress) } : {}),
    ...(input.billingAddress ? { billingAddress: completeAddress(input.billingAddress) } : {}),
    ...(input.tags ? { tags: [...new Set(input.tags)] } : {}),
    ...(consentSource && row.consent === null ? { consent: { source: consentSource, at: consentAt ?? ctx.now } } : {}),
  };
  const before = viewCustomer(row) as Record<string, unknown>;
  const isSame = Object.entries(change).every(([field, value]) => isDeepStrictEqual(before[field], value));
  if (isSame) return { result: 'UNCHANGED', id: row.id };
  await changeCustomer(ctx, { id: row.id, change });
  return { result: 'UPDATED', id: row.id };
}
