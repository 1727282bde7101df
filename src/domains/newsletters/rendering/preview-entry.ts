import type { Query } from '../context.ts';
import { exampleMail } from './example-mail.ts';

const EXAMPLE = { name: 'Ada', email: 'ada@example.com' };

/** The HTML of the entry as a mail to an invented subscriber. */
export async function previewEntry(ctx: Query, entryId: string): Promise<string> {
  const { html } = await exampleMail(ctx, entryId, EXAMPLE);
  return html;
}
