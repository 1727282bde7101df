import type { Versioned } from '../../../context/index.ts';
import { countRows } from '../../../db/count.ts';
import { notFound } from '../../../shared/errors.ts';
import { addTotal, MAX_TOTAL, type Page, pageLimit } from '../../../shared/paging.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import { completeAddress } from '../../../shared/schemas.ts';
import type { Query } from '../context.ts';
import { type CustomerRecord, type CustomerRow, findCustomer, listCustomerRows, listCustomersOf } from './queries.ts';
import type { Customer, CustomerQuery, ListedCustomer } from './schemas.ts';

type Reader = Pick<Query, 'db' | 'businessId'>;

export async function readCustomer({ db, businessId }: Reader, id: string): Promise<Versioned<Customer>> {
  const row = await findCustomer(db, businessId, id);
  if (!row) throw notFound('Customer');
  return { record: viewCustomer(row), version: row.version };
}

export async function listCustomers(ctx: Query, query: CustomerQuery): Promise<Page<ListedCustomer>> {
  const { replica: db, cursors, businessId } = ctx;
  const scope = `customers:newest:${businessId}`;
  const limit = pageLimit(query.limit);
  const [after = null] = cursors.decode(scope, query.cursor) ?? [];
  const filter = { text: query.query?.trim() || null, tags: query.tags ?? [], userId: query.userId ?? null };
  const rows = await listCustomerRows(db, businessId, { ...filter, after: after as string | null, limit: limit + 1 });
  const page = cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    (row) => ({ ...viewCustomer(row), etag: etagOf(row.version) }),
    (row) => JSON.stringify(row).length,
  );
  return addTotal(page, query, () =>
    countRows(db, listCustomerRows(db, businessId, { ...filter, after: null, limit: MAX_TOTAL })),
  );
}

/** The records with these record or user IDs, keyed by both. */
export async function findCustomers(
  { db, businessId }: Reader,
  ids: readonly string[],
): Promise<Map<string, Customer>> {
  const rows = await listCustomersOf(db, businessId, [...new Set(ids)]);
  const found = rows.map(viewCustomer);
  return new Map(
    found.flatMap((customer) => [customer.id, customer.userId ?? customer.id].map((id) => [id, customer])),
  );
}

export function viewCustomer({ hasAccount = false, ...row }: CustomerRecord & { hasAccount?: boolean }): Customer {
  const { id, businessId, userId, email, name, phone, tags, note, consent, createdAt, updatedAt } = row;
  const addresses = row.addresses.map(completeAddress);
  const [shippingAddress, billingAddress] = [row.shippingAddress, row.billingAddress].map(
    (address) => address && completeAddress(address),
  );
  return {
    id,
    businessId,
    userId,
    hasAccount,
    email,
    name,
    phone,
    addresses,
    shippingAddress: shippingAddress ?? null,
    billingAddress: billingAddress ?? null,
    tags,
    note,
    consent,
    createdAt,
    updatedAt,
  };
}

/** The record as it can be imported again. An email that a guest entered identifies no one, so several guests may share it. */
export function exportCustomer({ emailKey, ...row }: CustomerRow): Omit<Customer, 'hasAccount'> {
  const { hasAccount, ...record } = viewCustomer(row);
  return hasAccount || emailKey !== null ? record : { ...record, email: null };
}
