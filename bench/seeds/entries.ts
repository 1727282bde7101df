import type { Pool, Reserved } from '../../src/db/pool.ts';
import { withoutTimeouts } from './without-timeouts.ts';

/**
 * Fills a collection with `count` published entries of four blocks: `title` (text), `category` (one of ten), `rank`
 * (a unique number) and `body`. The rows match those the service writes, but are created by SQL.
 */
export async function seedEntries(pool: Pool, businessId: string, collectionId: string, count: number): Promise<void> {
  const owner = `collection:${collectionId}`;
  await withoutTimeouts(pool, async (connection) => {
    await connection`
    insert into entries (business_id, id, owner, status, doc, search, created_at)
    select ${businessId}, id, ${owner}, 'PUBLISHED',
      jsonb_build_object(
        'id', id, 'businessId', ${businessId}::text, 'owner', ${owner}::text, 'locale', 'en',
        'blocks', jsonb_build_array(
          jsonb_build_object('id', 'title', 'type', 'TEXT', 'value', 'Entry ' || i),
          jsonb_build_object('id', 'category', 'type', 'SELECT', 'value', 'category' || i % 10),
          jsonb_build_object('id', 'rank', 'type', 'NUMBER', 'value', i),
          jsonb_build_object('id', 'body', 'type', 'TEXT', 'value', repeat('Lorem ipsum dolor sit amet. ', 20))
        ),
        'statuses', jsonb_build_array(jsonb_build_object(
          'id', 'st_' || i, 'status', 'PUBLISHED', 'changedBy', 'SYSTEM', 'timestamp', 1700000000 + i / 10)),
        'createdAt', 1700000000 + i / 10, 'updatedAt', 1700000000 + i / 10
      ),
      array_to_tsvector(array['entry', 'lorem', 'ipsum', 'dolor', 'sit', 'amet', 'category' || i % 10, i::text]),
      1700000000 + i / 10
    from (select i, 'ent_' || lpad(i::text, 26, '0') as id from generate_series(1, ${count}::integer) as i) s`;
    await connection`
    insert into entry_values (business_id, entry_id, block_id, n, owner, status, key, created_at)
    select ${businessId}, 'ent_' || lpad(i::text, 26, '0'), block_id, 0, ${owner}, 'PUBLISHED', key, 1700000000 + i / 10
    from generate_series(1, ${count}::integer) as i
    cross join lateral (values
      ('$locale', 'ten' || chr(1) || 'en'),
      ('$updatedAt', ${numberKey(connection, '1700000000 + i / 10')}),
      ('title', 'tentry ' || i || chr(1) || 'Entry ' || i),
      ('category', 'tcategory' || i % 10 || chr(1) || 'category' || i % 10),
      ('rank', ${numberKey(connection, 'i')})
    ) as v (block_id, key)`;
    await connection`vacuum analyze entries`;
    await connection`vacuum analyze entry_values`;
  });
}

/** The service's sort key for a non-negative number. */
const numberKey = (connection: Reserved, expression: string) =>
  connection.text(
    `'n' || to_hex(get_byte(float8send((${expression})::float8), 0) | 128) || substr(encode(float8send((${expression})::float8), 'hex'), 3)`,
  );
