import type { Db, Tx } from '../../db/connection.ts';
import { type BulkMail, fill } from '../../providers/mail/port.ts';
import { invalid } from '../../shared/errors.ts';
import { escapeHtml } from '../../shared/escape.ts';
import { composeMail, readSource, type SourceDeps } from './source.ts';

const EXAMPLE = { name: 'Ada', email: 'ada@example.com' };

/** The entry as a mail, with an example in every gap. Raises 422 naming each unknown variable. */
export async function previewEntry(deps: SourceDeps, db: Db, businessId: string, entryId: string): Promise<string> {
  const { html } = await exampleMail(deps, db, businessId, entryId, EXAMPLE);
  return html;
}

/** Sends the entry, published or not, to one address. Its link to unsubscribe is an example and ends nothing. */
export async function sendTestMail(
  deps: SourceDeps,
  tx: Tx,
  businessId: string,
  entryId: string,
  email: string,
): Promise<void> {
  const name = email.slice(0, email.lastIndexOf('@'));
  const mail = await exampleMail(deps, tx, businessId, entryId, { name, email });
  await deps.messages.mail(tx, { to: email, ...mail });
}

async function exampleMail(
  deps: SourceDeps,
  db: Db,
  businessId: string,
  entryId: string,
  { name, email }: { name: string; email: string },
) {
  const { content, errors } = await composeMail(deps, await readSource(deps, db, businessId, entryId));
  if (errors.length > 0) throw invalid(errors);
  const unsubscribeUrl = `${deps.publicUrl()}/unsubscribe/example`;
  return filled(content.mail, { 'subscriber.name': name, 'subscriber.email': email, unsubscribeUrl });
}

function filled({ subject, text, html, fromName, replyTo }: BulkMail, values: Record<string, string>) {
  const value = (variable: string) => values[variable] ?? '';
  return {
    subject: fill(subject, value),
    text: fill(text, value),
    html: fill(html, (variable) => escapeHtml(value(variable))),
    ...(fromName ? { fromName } : {}),
    ...(replyTo ? { replyTo } : {}),
  };
}
