import type { Versioned } from '../../../context/index.ts';
import { notFound } from '../../../shared/errors.ts';
import { etagOf } from '../../../shared/etag.ts';
import { type Page, pageLimit } from '../../../shared/paging.ts';
import type { Query } from '../context.ts';
import { type CustomerRecord, findCustomer, listCustomerRows } from './queries.ts';
import type { Customer, CustomerQuery, ListedCustomer } from './schemas.ts';

type Reader = Pick<Query, 'db' | 'businessId'>;

export async function readCustomer({ db, businessId }: Reader, id: string): Promise<Versioned<Customer>> {
  const row = await findCustomer(db, businessId, id);
  if (!row) throw notFound('Customer');
  return { record: viewCustomer(row), version: row.version };
}

export async function listCustomers(ctx: Query, query: CustomerQuery): Promise<Page<ListedCustomer>> {
  const { db, cursors, businessId } = ctx;
  const scope = `customers:newest:${businessId}`;
  const limit = pageLimit(query.limit);
  const [after = null] = cursors.decode(scope, query.cursor) ?? [];
  const rows = await listCustomerRows(db, businessId, {
    text: query.query?.trim() || null,
    tags: query.tags ?? [],
    userId: query.userId ?? null,
    after: after as string | null,
    limit: limit + 1,
  });
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    (row) => ({ ...viewCustomer(row), etag: etagOf(row.version) }),
    (row) => JSON.stringify(row).length,
  );
}

export function viewCustomer(row: CustomerRecord): Customer {
  const { id, businessId, userId, email, name, phone, addresses, tags, note, consent, createdAt, updatedAt } = row;
  return { id, businessId, userId, email, name, phone, addresses, tags, note, consent, createdAt, updatedAt };
}
