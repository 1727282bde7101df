import type { Db } from '../../../db/sql.ts';
import type { TemplateKind } from '../../../shared/mail/kinds.ts';
import type { Language } from '../../../shared/mail/languages.ts';
import type { MailText } from '../../../shared/mail/render.ts';
import type { BusinessServices } from '../context.ts';
import { listTemplateRows } from './queries.ts';

type Reader = { db: Db } & BusinessServices;

/** The business's own text of an email, from the cache; null if it uses the default text. */
export async function findMailText(
  { db, businesses }: Reader,
  businessId: string,
  kind: TemplateKind,
  language: Language,
): Promise<MailText | null> {
  const found = await businesses.mailTexts.get(businessId, async () => ({
    businessId,
    rows: await listTemplateRows(db, businessId),
  }));
  const row = found?.rows.find((each) => each.kind === kind && each.locale === language);
  return row?.subject != null && row.body != null ? { subject: row.subject, body: row.body } : null;
}
