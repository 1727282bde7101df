import type { Query as AnyQuery } from '../../../context/index.ts';
import { getBusiness } from '../../businesses/index.ts';
import { type ContentServices, checkDraft } from '../../content/index.ts';
import type { NewsletterServices, Query } from '../context.ts';
import type { Design } from './design.ts';
import { exampleMail } from './example-mail.ts';
import { findHints } from './hints.ts';

const EXAMPLE = { name: 'Ada', email: 'ada@example.com' };

/** The HTML of the entry as an email to an example subscriber. */
export async function previewEntry(ctx: Query, entryId: string): Promise<string> {
  const { html } = await exampleMail(ctx, entryId, EXAMPLE);
  return html;
}

type Edited = { entryId: string; blocks?: unknown; design?: Design };

/** Renders the entry as an email with these blocks and this design. Stores nothing. */
export async function previewBlocks(
  ctx: AnyQuery<NewsletterServices & ContentServices>,
  { entryId, blocks, design }: Edited,
) {
  const edited = blocks === undefined ? undefined : await checkDraft(ctx, entryId, blocks);
  const { subject, html, text } = await exampleMail(ctx, entryId, EXAMPLE, { blocks: edited, design });
  const { profile } = (await getBusiness(ctx, ctx.businessId)).configs;
  const hints = findHints({ subject, html, hasAddress: Boolean(profile?.address) });
  return { subject, html, text, hints };
}
