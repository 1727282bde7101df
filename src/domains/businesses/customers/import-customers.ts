/** Customers that come from a file, many at a time. They are found by their id or their e-mail. */
import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '../../../shared/errors.ts';
import { type FormerIdentity, isId, newId } from '../../../shared/ids.ts';
import type { Command } from '../context.ts';
import { insertCustomers, lockCustomersOf } from './import-queries.ts';
import type { CustomerRow } from './queries.ts';
import { viewCustomer } from './read-customers.ts';
import { changeCustomer } from './save-customer.ts';
import type { Customer, CustomerInput } from './schemas.ts';

export type CustomerImport = FormerIdentity & {
  /** Of the right shape. */
  input: CustomerInput;
  /** They have agreed to be written to. Of one who is known to have agreed that stays. */
  consentSource?: string | undefined;
  consentAt?: number | undefined;
};

type CustomerOutcome = { result: 'CREATED' | 'UPDATED' | 'UNCHANGED'; id: string } | { errors: FieldError[] };

/** One outcome for each record, in their order. */
export async function importCustomers(ctx: Command, records: readonly CustomerImport[]): Promise<CustomerOutcome[]> {
  const { db: tx, businessId } = ctx;
  const emails = records.flatMap(({ input }) => (input.email ? [input.email.toLowerCase()] : []));
  const ids = records.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const rows = await lockCustomersOf(tx, businessId, ids, emails);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byEmail = new Map(rows.flatMap((row) => (row.email === null ? [] : [[row.email.toLowerCase(), row] as const])));
  const fresh: Customer[] = [];
  const outcomes: CustomerOutcome[] = [];
  for (const record of records) {
    const email = record.input.email?.toLowerCase();
    const row = (record.id === undefined ? undefined : byId.get(record.id)) ?? (email ? byEmail.get(email) : undefined);
    const other = email ? byEmail.get(email) : undefined;
    if (row && other && other.id !== row.id) outcomes.push({ errors: [taken] });
    else if (row) outcomes.push(await update(ctx, row, record));
    else if (!email && !record.input.name && !record.input.phone) outcomes.push({ errors: [empty] });
    else {
      const made = compose(ctx, record);
      fresh.push(made);
      outcomes.push({ result: 'CREATED', id: made.id });
    }
  }
  await insertCustomers(ctx, fresh);
  return outcomes;
}

const empty: FieldError = {
  field: 'email',
  error: 'REQUIRED',
  message: 'A customer needs an e-mail, a name or a phone number.',
};
const taken: FieldError = {
  field: 'email',
  error: 'DUPLICATE',
  message: 'Another customer of this business has this e-mail.',
};

function compose(
  { businessId, now }: Command,
  { id, createdAt, updatedAt, input, consentSource, consentAt }: CustomerImport,
): Customer {
  return {
    id: id !== undefined && isId('cust', id) ? id : newId('cust'),
    businessId,
    userId: null,
    email: input.email ?? null,
    name: input.name ?? '',
    phone: input.phone ?? null,
    addresses: input.addresses ?? [],
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
    // An address that differs in case only is the same.
    ...(email && email.toLowerCase() !== row.email?.toLowerCase() ? { email } : {}),
    ...(input.tags ? { tags: [...new Set(input.tags)] } : {}),
    ...(consentSource && row.consent === null ? { consent: { source: consentSource, at: consentAt ?? ctx.now } } : {}),
  };
  const before = viewCustomer(row) as Record<string, unknown>;
  const isSame = Object.entries(change).every(([field, value]) => isDeepStrictEqual(before[field], value));
  if (isSame) return { result: 'UNCHANGED', id: row.id };
  await changeCustomer(ctx, { id: row.id, change });
  return { result: 'UPDATED', id: row.id };
}
