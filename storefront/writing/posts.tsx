/** Posts: entries with the blocks title, excerpt, cover, body, author, date, tags and minutes. All of them are optional. */
import type { Collection, Entry, Media } from '@souk/client';
import { type IslandSite, useSite } from '../island.tsx';
import { plainText, replaceElements, startOf, withoutVariables } from '../markup.ts';
import type { SiteInfo } from '../page.ts';
import { Picture } from '../picture.tsx';
import { altOf, date, fill, link, localText } from '../site.ts';
import { type EmbeddedProducts, withProducts } from './elements.ts';

const blockValue = ({ blocks }: Entry, id: string): unknown =>
  blocks.find((block) => block.id === id)?.value ?? undefined;

/** The text of a block, in the site's language if it is translated. */
export function textOf(entry: Entry, id: string, site: SiteInfo): string {
  const block = entry.blocks.find((each) => each.id === id);
  if (block?.type === 'NUMBER') return String(block.value ?? '');
  if (block?.type !== 'TEXT' && block?.type !== 'SELECT') return '';
  return withoutVariables(localText((block.value ?? undefined) as string | Record<string, string> | undefined, site));
}

/** Issues of a newsletter may have a subject instead of a title. A locked issue doesn't reveal its subject, so its name is its date. */
export const titleOf = (entry: Entry, site: IslandSite) =>
  textOf(entry, 'title', site) ||
  textOf(entry, 'subject', site) ||
  entry.seo?.title ||
  fill(site.texts.posts.dated, { date: dayOf(entry, site) });

export function coverOf(entry: Entry): Media | undefined {
  const [cover] = [blockValue(entry, 'cover')].flat() as (Media | undefined)[];
  return cover?.url ? cover : undefined;
}

/** The blocks that group posts, in this order of preference. */
const TAGS = ['tags', 'category'];

export const tagBlock = ({ blocks }: Collection) =>
  TAGS.find((id) => blocks.some((block) => block.id === id && /SELECT|TEXT/.test(block.type)));

export const tagsOf = (entry: Entry): string[] =>
  TAGS.flatMap((id) => [blockValue(entry, id)].flat()).filter((tag): tag is string => typeof tag === 'string');

const ownDateOf = (entry: Entry): number | null => {
  const own = blockValue(entry, 'date');
  return typeof own === 'number' ? own : null;
};

/** When the post was published: its own date, or the time of its status. */
export const publishedAt = (entry: Entry): number =>
  ownDateOf(entry) ??
  entry.statuses.filter(({ status }) => status === 'PUBLISHED').at(-1)?.timestamp ??
  entry.createdAt;

/** Dates in entries are in UTC. */
const dayOf = (entry: Entry, { locale, timeZone }: SiteInfo) =>
  date(publishedAt(entry), { locale, timeZone: ownDateOf(entry) === null ? timeZone : 'UTC' });

/** The language of the entry, if the site is in this language. */
export const ownLocale = ({ locale }: Entry, { locales }: SiteInfo) => (locales.includes(locale) ? locale : undefined);

export const postPath = ({ slug: collection }: Collection, { slug, id }: Entry) => `/${collection}/${slug ?? id}`;

/** Text that would run into the sentences. */
const ASIDES = /<(h[1-6]|table|figcaption)\b/g;

/** A short first paragraph that ends with a comma: `<p>Hi Ada,</p>`. */
const GREETING = /^\s*<p\b[^>]*>[^<]{1,60},\s*<\/p>/;

/** How much of a post is read for its excerpt, and for its reading time. Lists do this for each post. */
const EXCERPT_SOURCE = 8000;
const READING_SAMPLE = 20_000;

/** The excerpt, or the beginning of the text without its headings, tables, captions and greeting. */
export function excerptOf(entry: Entry, site: SiteInfo): string {
  const body = startOf(textOf(entry, 'body', site), EXCERPT_SOURCE);
  const sentences = replaceElements(
    body,
    ASIDES,
    (name) => `</${name}>`,
    () => ' ',
  ).replace(GREETING, '');
  return textOf(entry, 'excerpt', site) || plainText(sentences) || plainText(body);
}

const WORDS_PER_MINUTE = 220;

/** The reading time in minutes. A locked post has none, because only its public part could be counted. */
function minutesOf(entry: Entry, site: SiteInfo): number | null {
  const own = blockValue(entry, 'minutes');
  if (typeof own === 'number') return own;
  const body = textOf(entry, 'body', site);
  const sample = startOf(body, READING_SAMPLE);
  const words = plainText(sample, Number.MAX_SAFE_INTEGER).split(' ').length;
  const all = words * (body.length / Math.max(sample.length, 1));
  return entry.locked || words < 2 ? null : Math.max(1, Math.round(all / WORDS_PER_MINUTE));
}

function PostFacts({ entry }: { entry: Entry }) {
  const site = useSite();
  const author = textOf(entry, 'author', site);
  const minutes = minutesOf(entry, site);
  const seconds = publishedAt(entry);
  return (
    <p class="post-facts quiet small">
      {author && <span>{author}</span>}
      <time datetime={new Date(seconds * 1000).toISOString()}>{dayOf(entry, site)}</time>
      {minutes !== null && <span>{fill(site.texts.posts.minutes, { count: minutes })}</span>}
      {entry.locked && <span class="tag">{site.texts.posts.membersOnly}</span>}
    </p>
  );
}

export function PostList({ collection, entries, level }: { collection: Collection; entries: Entry[]; level: 2 | 3 }) {
  const site = useSite();
  const Heading = `h${level}` as const;
  return (
    <ul class="posts">
      {entries.map((entry) => {
        const cover = coverOf(entry);
        return (
          <li key={entry.id} class={cover ? 'has-cover' : undefined}>
            {cover && <Picture media={cover} alt="" sizes="(min-width: 48rem) 14rem, 90vw" />}
            <div>
              <Heading>
                <a href={link(site, postPath(collection, entry))}>{titleOf(entry, site)}</a>
              </Heading>
              <p>{excerptOf(entry, site)}</p>
              <PostFacts entry={entry} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

type BodyProps = { entry: Entry; isHtml: boolean; products: EmbeddedProducts };

export function PostBody({ entry, isHtml, products }: BodyProps) {
  const site = useSite();
  const cover = coverOf(entry);
  const text = textOf(entry, 'body', site);
  return (
    <>
      <h1>{titleOf(entry, site)}</h1>
      <PostFacts entry={entry} />
      {cover && (
        <Picture media={cover} alt={altOf(cover, site)} sizes="(min-width: 48rem) 44rem, 100vw" isFirst={true} />
      )}
      {/* The API sanitizes HTML when an entry is saved. */}
      {isHtml && <div class="post" dangerouslySetInnerHTML={{ __html: withProducts(text, products, site) }} />}
      {!isHtml && text && <div class="post plain">{text}</div>}
    </>
  );
}

/** Only the schema of the collection says whether the body is HTML. */
export const isRichBody = ({ blocks }: Collection) =>
  blocks.find(({ id }) => id === 'body')?.settings?.variant === 'HTML';
