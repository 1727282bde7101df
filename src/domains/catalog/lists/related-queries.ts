import type { Db } from '../../../db/sql.ts';
import { type ListedRow, versionOf } from '../products/queries.ts';

/** The products among `ids` with one of these statuses, in the order of `ids`. */
export const listInOrder = (db: Db, businessId: string, ids: readonly string[], statuses: readonly string[]) =>
  db.text<ListedRow[]>(
    `select p.id, ${versionOf('$1')} as version, p.doc_bytes as bytes
     from unnest($2::text[]) with ordinality as given (id, n)
     join products p on p.business_id = $1 and p.id = given.id
     where p.status = any($3::text[]) order by given.n`,
    [businessId, ids, statuses],
  );

/** Only this many of the newest products in the categories are compared. */
const MAX_COMPARED = 1000;

/** Public products with one of these terms: those that share most of them first, then the newest. */
export const listSharing = (
  db: Db,
  businessId: string,
  terms: readonly string[],
  without: readonly string[],
  limit: number,
) =>
  db.text<ListedRow[]>(
    `select p.id, ${versionOf('$1')} as version, p.doc_bytes as bytes
     from (
       select product_id, cardinality(array(select unnest(f.terms) intersect select unnest($2::text[]))) as shared
       from (
         select f.product_id, f.terms from product_facets f
         where f.business_id = $1 and f.status = 'ACTIVE' and f.terms && $2::text[] and not f.product_id = any($3::text[])
         order by f.product_id desc limit ${MAX_COMPARED}
       ) f
       order by shared desc, product_id desc limit $4
     ) c join products p on p.business_id = $1 and p.id = c.product_id
     order by c.shared desc, p.id desc`,
    [businessId, terms, without, limit],
  );
