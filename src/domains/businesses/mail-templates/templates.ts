import type { Versioned } from '../../../context/index.ts';
import { invalid, notFound } from '../../../shared/errors.ts';
import { TEMPLATE_KINDS, type TemplateKind, VARIABLES, variablesOf } from '../../../shared/mail/kinds.ts';
import { LANGUAGES, type Language, textsIn } from '../../../shared/mail/languages.ts';
import type { MailText } from '../../../shared/mail/render.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { businessSubject, type Command, command, type Query, type Steps } from '../context.ts';
import { getBusiness } from '../get-business.ts';
import { lockBusiness } from '../queries.ts';
import { businessLanguage } from './business-mail.ts';
import { checkTemplate } from './check-template.ts';
import { listTemplateRows, type TemplateRow, upsertTemplate } from './queries.ts';
import type { MailTemplate, MailTemplateInput, MailTemplateList } from './schemas.ts';

type Key = { kind: TemplateKind; locale?: Language | undefined };
type Requested = { kind: string; locale?: Language | undefined };

const isKind = (kind: string): kind is TemplateKind => (TEMPLATE_KINDS as readonly string[]).includes(kind);

/** Throws 404 for an unknown kind. */
export function getKind(kind: string): TemplateKind {
  if (!isKind(kind)) throw notFound('Email');
  return kind;
}

export async function listTemplates({ db, businessId }: Query): Promise<MailTemplateList> {
  const rows = await listTemplateRows(db, businessId);
  const items = TEMPLATE_KINDS.flatMap((kind) =>
    LANGUAGES.map((locale) => {
      const row = findRow(rows, kind, locale);
      return {
        ...viewTemplate(row ?? standardRow(businessId, kind, locale)),
        etag: etagOf(row?.version ?? FIRST_VERSION),
      };
    }),
  );
  return { items };
}

export async function readTemplate(ctx: Query, { kind, locale }: Requested): Promise<Versioned<MailTemplate>> {
  const row = await findTemplate(ctx, { kind: getKind(kind), locale });
  return { record: viewTemplate(row), version: row.version };
}

export const saveTemplate = command({
  async prepare({ businessId }: Steps, { input, kind, locale }: Requested & { input: MailTemplateInput }) {
    const key = { kind: getKind(kind), locale };
    const checked = await checkTemplate(businessId, key.kind, input);
    if ('errors' in checked) throw invalid(checked.errors);
    return { key, text: checked };
  },
  execute: (ctx: Command, { key, text }): Promise<Versioned<MailTemplate>> => writeText(ctx, key, text),
});

/** Restores the default text. */
export async function resetTemplate(ctx: Command, { kind, locale }: Requested): Promise<typeof SUCCESS> {
  await writeText(ctx, { kind: getKind(kind), locale }, null);
  return SUCCESS;
}

/** Writes the text of a kind in a language; null, or the default text itself, resets it. */
export async function writeText(ctx: Command, key: Key, sent: MailText | null): Promise<Versioned<MailTemplate>> {
  const { db: tx, businessId, now } = ctx;
  if (!(await lockBusiness(tx, businessId))) throw notFound('Business');
  const before = await findTemplate(ctx, key);
  ctx.checkVersion(before.version);
  const text = sent && isStandard(sent, before) ? null : sent;
  if (text === null && before.subject === null) return { record: viewTemplate(before), version: before.version };
  const row: TemplateRow = {
    ...before,
    subject: text?.subject ?? null,
    body: text?.body ?? null,
    version: before.version + 1,
    updatedAt: now,
  };
  await upsertTemplate(tx, row);
  await ctx.publish(businessSubject(businessId));
  const entity = `mail_template:${row.kind}.${row.locale}` as const;
  const [data, previous] = [shownIn(row), shownIn(before)];
  if (text) ctx.emit({ type: 'mail_template.updated', entity, data, before: previous });
  else ctx.emit({ type: 'mail_template.deleted', entity, data: previous });
  return { record: viewTemplate(row), version: row.version };
}

/** The version of a template that was never changed. */
const FIRST_VERSION = 1;

/** Reads from the database, not the cache. */
async function findTemplate(ctx: Query | Command, { kind, locale }: Key): Promise<TemplateRow> {
  const { db, businessId } = ctx;
  const language = locale ?? businessLanguage(await getBusiness(ctx, businessId));
  return findRow(await listTemplateRows(db, businessId), kind, language) ?? standardRow(businessId, kind, language);
}

const findRow = (rows: readonly TemplateRow[], kind: TemplateKind, locale: Language) =>
  rows.find((row) => row.kind === kind && row.locale === locale);

const standardRow = (businessId: string, kind: TemplateKind, locale: Language): TemplateRow => ({
  businessId,
  kind,
  locale,
  subject: null,
  body: null,
  version: FIRST_VERSION,
  updatedAt: 0,
});

function isStandard({ subject, body }: MailText, { kind, locale }: TemplateRow): boolean {
  const standard = textsIn(locale).mails[kind];
  return subject === standard.subject && body === standard.body;
}

function viewTemplate({ kind, locale, subject, body, updatedAt }: TemplateRow): MailTemplate {
  const { subject: standardSubject, body: standardBody } = textsIn(locale).mails[kind];
  const standard = { subject: standardSubject, body: standardBody };
  const customized = subject !== null && body !== null;
  const variables = variablesOf(kind).map((name) => ({ name, ...VARIABLES[name] }));
  return {
    kind,
    locale,
    ...(customized ? { subject, body } : standard),
    customized,
    standard,
    variables,
    updatedAt: customized ? updatedAt : null,
  };
}

/** The part of a template that events contain. */
function shownIn(row: TemplateRow) {
  const { kind, locale, subject, body, customized } = viewTemplate(row);
  return { kind, locale, subject, body, customized };
}
