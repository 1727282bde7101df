/** Atom feeds of collections: /{collection}/feed.xml. With a subscriber's token, a feed has everything that the subscriber can read. */
import type { FastifyReply } from 'fastify';
import type { Site } from '../../storefront/contract.ts';
import type { SiteModule } from '../../storefront/module.ts';
import type { AppServices, Query } from '../context/index.ts';
import { type Collection, type Entry, getCollection, listFeed } from '../domains/content/index.ts';
import { findFeedPlans } from '../domains/newsletters/index.ts';
import { ServiceError } from '../shared/errors.ts';
import { matchesTag } from '../shared/headers.ts';
import { currentStatus } from '../shared/records/status-history.ts';
import { escapeHtml } from '../shared/text/escape.ts';
import { localText } from '../shared/text/locales.ts';
import { hashOf, PRIVATE_CACHE, PUBLIC_CACHE } from './policy.ts';
import type { Opened } from './serve.ts';

const ENTRIES = 30;
const PATH = /^\/([^/]+)\/feed\.xml$/;

export const isFeed = (path: string) => PATH.test(path);

type Feed = { collection: Collection; entries: (Entry & { locked?: boolean })[] };

/** Null if there is no such collection, or if the token was replaced. */
async function readFeed(ctx: Query<AppServices>, slug: string, token: string | null): Promise<Feed | null> {
  const collection = await getCollection(ctx.db, ctx.businessId, slug).catch((error) => {
    if (error instanceof ServiceError && error.kind === 'NOT_FOUND') return null;
    throw error;
  });
  if (!collection || currentStatus(collection.statuses) !== 'PUBLISHED') return null;
  const plans = token === null ? [] : await findFeedPlans(ctx, token);
  if (!plans) return null;
  const options = { plans, limit: ENTRIES, publicUrl: ctx.publicUrl() };
  return { collection, entries: await listFeed(ctx.db, collection, options) };
}

export async function sendFeed(ctx: Query<AppServices>, reply: FastifyReply, opened: Opened): Promise<FastifyReply> {
  const { site, path, module } = opened;
  const token = opened.query.get('token');
  const slug = PATH.exec(path)![1]!;
  const feed = await readFeed(ctx.within(site.businessId), slug, token);
  if (!feed) return reply.code(404).send();
  const xml = atom(site, module, feed);
  const etag = `W/"${hashOf(xml)}"`;
  reply.header('cache-control', token === null ? PUBLIC_CACHE : PRIVATE_CACHE).header('etag', etag);
  if (matchesTag(reply.request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.header('content-type', 'application/atom+xml; charset=utf-8').send(xml);
}

function atom(site: Site, module: SiteModule, { collection, entries }: Feed): string {
  const at = { ...site, base: site.canonical.base };
  const address = (path: string) => site.canonical.origin + module.link(at, path);
  const home = address(`/${collection.slug}`);
  const updated = Math.max(collection.updatedAt, ...entries.map((entry) => entry.updatedAt));
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xml(site.locale)}">
<id>urn:souk:${xml(collection.id)}</id>
<title>${xml(collection.name)}</title>
<link rel="alternate" type="text/html" href="${xml(home)}"/>
<link rel="self" type="application/atom+xml" href="${xml(`${home}/feed.xml`)}"/>
<updated>${time(updated)}</updated>
<author><name>${xml(site.name)}</name></author>
${entries.map((entry) => item(module, entry, collection, address(`/${collection.slug}/${entry.slug ?? entry.id}`))).join('\n')}
</feed>
`;
}

function item(
  { withoutVariables }: SiteModule,
  entry: Entry & { locked?: boolean },
  { blocks, name }: Collection,
  url: string,
): string {
  const text = (id: string) => {
    const block = entry.blocks.find((each) => each.id === id && each.type === 'TEXT');
    return block?.value ? withoutVariables(localText(block.value, entry.locale)) : '';
  };
  const isHtml = blocks.find(({ id }) => id === 'body')?.settings?.variant === 'HTML';
  const published = entry.statuses.findLast(({ status }) => status === 'PUBLISHED')?.timestamp ?? entry.createdAt;
  const author = text('author');
  return `<entry>
<id>urn:souk:${xml(entry.id)}</id>
<title>${xml(text('title') || text('subject') || name)}</title>
<link rel="alternate" type="text/html" href="${xml(url)}"/>
<published>${time(published)}</published>
<updated>${time(entry.updatedAt)}</updated>
${author ? `<author><name>${xml(author)}</name></author>\n` : ''}${text('excerpt') ? `<summary>${xml(text('excerpt'))}</summary>\n` : ''}<content type="${isHtml ? 'html' : 'text'}">${xml(text('body'))}</content>
</entry>`;
}

const time = (seconds: number) => new Date(seconds * 1000).toISOString();

/** XML 1.0 has no control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const xml = (text: string) => escapeHtml(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''));
