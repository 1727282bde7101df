import type { Db } from '../../../db/sql.ts';
import { type CursorValue, MAX_TOTAL } from '../../../shared/paging.ts';
import { type ListOrder, type ListPage, parseRows, type RawPage } from '../lists/list-queries.ts';
import { versionOf } from '../products/queries.ts';
import { type AddValue, runText } from '../text-statement.ts';
import { type Candidates, candidateRows } from './candidates.ts';
import { priceIn } from './queries.ts';

type FilteredPage = ListPage & { total: number };

/**
 * A page of the candidates, sorted in memory, and their number. Null if there are too many: then enough of them are found in
 * the index of the sort order.
 */
export async function listFiltered(
  db: Db,
  candidates: Candidates,
  order: ListOrder,
  position: CursorValue[] | null,
  limit: number,
): Promise<FilteredPage | null> {
  const [page] = await runText<RawPage & { total: number }>(db, (add) => {
    const direction = order.descending ? 'desc' : 'asc';
    const by = `key ${direction}, product_id ${direction}`;
    const isPrice = order.by === 'price';
    return `
      with found as materialized (
        select f.product_id, ${keyOf(add, order)} as key from (${candidateRows(add, candidates)}) f
      ),
      page as (
        select * from found where true ${isPrice ? 'and key is not null' : ''}
          ${position === null ? '' : `and ${after(add, order, position)}`}
        order by ${by} limit ${limit + 1}
      )
      select (select count(*)::int from found) as total, max(ids) as ids, max(key) as key from (
        select string_agg(p.id || ' ' || ${versionOf(add(candidates.businessId))} || ' ' || p.doc_bytes, ',' order by n) as ids,
          (array_agg(c.key order by n))[${limit}]::text as key
        from (select *, row_number() over (order by ${by}) as n from page) c
        join products p on p.business_id = ${add(candidates.businessId)} and p.id = c.product_id
      ) read`;
  });
  const { total } = page!;
  return total >= MAX_TOTAL ? null : { rows: parseRows(page!), key: page!.key, total };
}

function keyOf(add: AddValue, { by, market }: ListOrder): string {
  if (by === 'price') return priceIn(add, market.toLowerCase());
  if (by === 'sold') return 'f.sold';
  return by === 'name' ? 'f.name_key' : 'null::text';
}

function after(add: AddValue, { by, descending }: ListOrder, [key, id]: CursorValue[]): string {
  const beyond = descending ? '<' : '>';
  if (by === 'age') return `product_id ${beyond} ${add(id)}`;
  return `(key, product_id) ${beyond} (${add(key)}${by === 'name' ? ' collate "C"' : '::bigint'}, ${add(id)})`;
}
