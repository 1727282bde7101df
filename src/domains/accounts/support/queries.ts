import type { Db } from '../../../db/sql.ts';

/** The customer of a support session. Null if the business has no such session. */
export async function findSupportedUser(db: Db, businessId: string, sessionId: string): Promise<string | null> {
  const [row] = await db<{ userId: string }[]>`
    select user_id from sessions where id = ${sessionId} and support_business = ${businessId}`;
  return row?.userId ?? null;
}
