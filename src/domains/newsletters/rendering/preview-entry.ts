import type { Steps } from '../../../context/index.ts';
import { type ContentServices, checkDraft } from '../../content/index.ts';
import type { NewsletterServices, Query } from '../context.ts';
import { exampleMail } from './example-mail.ts';

const EXAMPLE = { name: 'Ada', email: 'ada@example.com' };

/** The HTML of the entry as a mail to an invented subscriber. */
export async function previewEntry(ctx: Query, entryId: string): Promise<string> {
  const { html } = await exampleMail(ctx, entryId, EXAMPLE);
  return html;
}

type Edited = { entryId: string; blocks?: unknown };

/** The mail that the entry would be with these blocks. Nothing is stored. */
export async function previewBlocks(ctx: Steps<NewsletterServices & ContentServices>, { entryId, blocks }: Edited) {
  const edited = blocks === undefined ? undefined : await checkDraft(ctx, entryId, blocks);
  const { subject, html, text } = await exampleMail(ctx, entryId, EXAMPLE, edited);
  return { subject, html, text };
}
