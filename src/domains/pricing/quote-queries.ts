import type { Db, Tx } from '../../db/sql.ts';
import type { Priced } from './cart.ts';

type QuoteRow = { businessId: string; id: string; doc: Priced; expiresAt: number };

export const insertQuote = (tx: Tx, { businessId, id, doc, expiresAt }: QuoteRow) => tx`
  insert into quotes (business_id, id, doc, expires_at)
  values (${businessId}, ${id}, ${tx.json(doc as never)}, ${expiresAt})`;

export async function findQuote(db: Db, businessId: string, id: string): Promise<QuoteRow | null> {
  const [row] = await db<QuoteRow[]>`
    select business_id, id, doc, expires_at from quotes where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

/** Across all businesses. */
export async function deleteExpiredQuotes(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from quotes where expires_at < ${nowSeconds}`;
}
