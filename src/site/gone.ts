import type { Db } from '../db/sql.ts';
import { isWithdrawn } from '../domains/catalog/index.ts';

/** Search engines drop a page that returns 410, but keep requesting one that returns 404. */
export async function isGone(db: Db, businessId: string, path: string): Promise<boolean> {
  const [, slug] = /^\/products\/([^/]+)$/.exec(path) ?? [];
  return slug !== undefined && isWithdrawn(db, businessId, decode(slug));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
