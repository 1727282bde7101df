import type { Db, Tx } from '../../../db/sql.ts';
import type { TemplateKind } from '../../../shared/mail/kinds.ts';
import type { Language } from '../../../shared/mail/languages.ts';

/** `subject` and `body` are null after a reset. */
export type TemplateRow = {
  businessId: string;
  kind: TemplateKind;
  locale: Language;
  subject: string | null;
  body: string | null;
  version: number;
  updatedAt: number;
};

export const listTemplateRows = (db: Db, businessId: string) => db<TemplateRow[]>`
  select business_id, kind, locale, subject, body, version, updated_at from mail_templates
  where business_id = ${businessId} order by kind, locale`;

export async function upsertTemplate(tx: Tx, row: TemplateRow): Promise<void> {
  await tx`insert into mail_templates ${tx(row as never)}
    on conflict (business_id, kind, locale) do update set
      subject = excluded.subject, body = excluded.body, version = excluded.version, updated_at = excluded.updated_at`;
}
