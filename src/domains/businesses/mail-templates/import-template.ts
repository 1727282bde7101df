import { invalid } from '../../../shared/errors.ts';
import { TEMPLATE_KINDS, type TemplateKind } from '../../../shared/mail/kinds.ts';
import { LANGUAGES, type Language } from '../../../shared/mail/languages.ts';
import type { MailText } from '../../../shared/mail/render.ts';
import type { Command } from '../context.ts';
import { checkTemplate } from './check-template.ts';
import { listTemplateRows } from './queries.ts';
import { writeText } from './templates.ts';

export type TemplateExport = MailText & { kind: TemplateKind; locale: Language };

/** The templates that the business has edited. */
export const listTemplatesForExport = async (...args: Parameters<typeof listTemplateRows>): Promise<TemplateExport[]> =>
  (await listTemplateRows(...args)).flatMap(({ kind, locale, subject, body }) =>
    subject === null || body === null ? [] : [{ kind, locale, subject, body }],
  );

/** Checks and sanitizes the text, before the transaction. Throws 422. */
export async function prepareTemplate(businessId: string, template: TemplateExport): Promise<TemplateExport> {
  const { kind, locale } = template;
  if (!TEMPLATE_KINDS.includes(kind) || !LANGUAGES.includes(locale)) {
    const message = 'This email template or its language is not supported.';
    throw invalid([{ field: 'kind', error: 'NOT_FOUND', message }]);
  }
  const text = await checkTemplate(businessId, kind, {
    subject: String(template.subject),
    body: String(template.body),
  });
  if ('errors' in text) throw invalid(text.errors);
  return { kind, locale, ...text };
}

export async function importTemplate(
  ctx: Command,
  { kind, locale, ...text }: TemplateExport,
): Promise<'UPDATED' | 'UNCHANGED'> {
  const rows = await listTemplateRows(ctx.db, ctx.businessId);
  const isSame = rows.some(
    (row) => row.kind === kind && row.locale === locale && row.subject === text.subject && row.body === text.body,
  );
  if (isSame) return 'UNCHANGED';
  await writeText(ctx, { kind, locale }, text);
  return 'UPDATED';
}
