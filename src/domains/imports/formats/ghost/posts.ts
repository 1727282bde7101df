/**
 * Posts in Ghost's JSON export (`db[0].data.posts`). They become entries of one collection. Each field is imported into
 * the block with its name or a common alias. Everything else that a post has is reported.
 * Source: ghost.org/docs/migration/ghost, "Ghost JSON".
 *
 * Ghost exports its own URL as the placeholder `__GHOST_URL__`. The file does not contain the URL itself.
 */
import type { BlockDefinition } from '../../../../shared/blocks/index.ts';
import { isRecord } from '../../../../shared/is-record.ts';
import { slugFrom } from '../../../../shared/text/slugs.ts';
import { replaceTags, tagsOf } from '../../../../shared/text/tags.ts';
import type { EntrySettings } from '../../../content/index.ts';
import { blockFor, entryOf, fieldsWithoutBlock, fillBlocks } from '../entry-blocks.ts';
import {
  type Conversion,
  type JsonFormat,
  type Outcome,
  type RowError,
  rowError,
  secondsOf,
  textOf,
} from '../format.ts';
import { htmlToText } from '../html-text.ts';
import { lexicalHtml, mobiledocHtml, TooLong } from './html.ts';
import { relatedLists } from './related.ts';

type Post = Record<string, unknown>;
type Warn = (field: string, error: string, message: string) => void;

const ALIASES: Record<string, readonly string[]> = {
  html: ['html', 'body', 'content', 'text'],
  feature_image: ['feature_image', 'featureImage', 'image', 'cover', 'picture'],
  custom_excerpt: ['custom_excerpt', 'excerpt', 'summary', 'description', 'intro'],
  published_at: ['published_at', 'publishedAt', 'date'],
  title: ['title', 'subject', 'name', 'headline'],
  tags: ['tags', 'tag', 'topics', 'categories', 'category'],
  authors: ['authors', 'author', 'byline', 'writer'],
  canonical_url: ['canonical_url', 'canonical'],
};

/** Fields whose loss is reported for each post. Other fields without a block are listed once. */
const REPORTED = ['feature_image', 'custom_excerpt', 'tags', 'authors', 'canonical_url'];

/** Fields of the entry itself, other representations of `html`, and defaults. */
const OWN_FIELDS = [
  ...[
    'id',
    'uuid',
    'comment_id',
    'status',
    'locale',
    'created_at',
    'published_at',
    'visibility',
    'html',
    'slug',
    'type',
  ],
  ...['plaintext', 'lexical', 'mobiledoc', 'post_id', ...REPORTED],
];

const READERS: Record<string, string> = {
  members: 'members',
  paid: 'paying members',
  tiers: 'members on certain tiers',
};
const URL_PLACEHOLDER = '__GHOST_URL__';
const SHOWN = 100;
const MAX_NAMES = 1000;
const MAX_NAME = 500;
/** The end of the free part of a post. */
const MEMBERS_ONLY = '<!--members-only-->';

export const ghostPosts: JsonFormat = {
  name: 'ghost-posts',
  label: 'Ghost posts',
  type: 'entries',
  // Files written for Ghost's importer have no fields of its editors.
  isRecognized: (sample) =>
    'title' in sample &&
    (['lexical', 'mobiledoc', 'comment_id'].some((field) => field in sample) ||
      (!('documentId' in sample) && ['html', 'slug', 'status'].every((field) => field in sample))),
  related: relatedLists,
  ignored: (post, to) => fieldsWithoutBlock(post, to, ALIASES, OWN_FIELDS),
  convert(post, row, to) {
    try {
      return convertPost(post, row, to);
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
      const message = 'The post is longer than 4 MiB as HTML. Shorten it.';
      return { errors: [rowError(row, textOf(post.lexical) === '' ? 'mobiledoc' : 'lexical', 'TOO_LONG', message)] };
    }
  },
};

/** Only the first warnings of a record are stored. */
const MAX_WARNINGS = 200;

function convertPost(post: Post, row: number, to: Conversion): Outcome {
  const warnings: RowError[] = [];
  const warn: Warn = (field, error, message) => {
    if (warnings.length < MAX_WARNINGS) warnings.push(rowError(row, field, error, message));
  };
  if (post.type === 'page')
    warn('type', 'PAGE', 'This is a page in Ghost. It was imported as a post in the collection.');
  const html = bodyOf(post, warn);
  const bodyBlock = blockFor('html', to, ALIASES);
  const refusal = emptyPost(row, post, html, bodyBlock);
  if (refusal) return { errors: [refusal] };
  if (bodyBlock && html !== '' && !isRichText(bodyBlock))
    warn('html', 'NO_FORMATTING', `The field ${bodyBlock.id} is plain text, so formatting and images were left out.`);
  const fields = {
    ...post,
    html: bodyBlock && !isRichText(bodyBlock) ? htmlToText(html) : html,
    feature_image: featureImage(post, warn),
    tags: chosen('tags', namesOf(post.tags), to, warn),
    authors: chosen('authors', namesOf(post.authors), to, warn),
  };
  if (post.relations_cut === true)
    warn(
      'tags',
      'TOO_MANY',
      'The file has too many tags and authors. Some tags or authors of this post may be missing.',
    );
  for (const field of fieldsWithoutBlock(
    fields,
    to,
    ALIASES,
    OWN_FIELDS.filter((name) => !REPORTED.includes(name)),
  )) {
    if (!REPORTED.includes(field)) continue;
    const value = textOf(fields[field as 'tags']) || namesOf(fields[field as 'tags']).join(', ');
    if (value !== '')
      warn(field, 'DROPPED', `The collection has no field for ${field}. “${value.slice(0, SHOWN)}” was left out.`);
  }
  const { blocks, errors } = fillBlocks(row, fields, to, ALIASES);
  if (errors.length > 0) return { errors };
  const publishedAt = secondsOf(textOf(post.published_at));
  const createdAt = secondsOf(textOf(post.created_at));
  const access = accessOf(textOf(post.visibility) || 'public', to);
  const statuses = statusesOf(post, access === null, publishedAt, to.now, warn);
  const outcome = entryOf(
    row,
    {
      key: `ghost:${textOf(post.uuid) || textOf(post.id)}`,
      blocks,
      blockColumn: 'ID',
      locale: textOf(post.locale) || undefined,
      statuses,
      settings: { ...access, ...slugOf(post) },
      createdAt: publishedAt !== undefined && publishedAt <= to.now ? publishedAt : createdAt,
    },
    to,
  );
  return 'record' in outcome ? { record: { ...outcome.record, warnings } } : outcome;
}

const isRichText = ({ type, settings }: BlockDefinition) =>
  type !== 'TEXT' || (isRecord(settings) && settings.variant === 'HTML');

/** The post as HTML, without unsupported content. */
function bodyOf(post: Post, warn: Warn): string {
  const stored = textOf(post.html).trim();
  const [lexical, mobiledoc] = [textOf(post.lexical), textOf(post.mobiledoc)];
  const converted =
    stored === '' ? (lexical !== '' ? lexicalHtml(lexical) : mobiledoc !== '' ? mobiledocHtml(mobiledoc) : null) : null;
  const field = lexical === '' ? 'mobiledoc' : 'lexical';
  if (converted?.hasMarkdown)
    warn(field, 'MARKDOWN', 'The post contains Markdown, which was imported as plain text, including its symbols.');
  for (const card of new Set(converted?.lost ?? []))
    warn(field, 'DROPPED', `Cards of type ${card.slice(0, 40)} were left out.`);
  const html = stored || converted?.html || textOf(post.plaintext);
  return withoutPlaceholder(withoutEmbeds(html.replaceAll(MEMBERS_ONLY, '<hr data-paywall>'), warn), warn);
}

const DROPPED = new Set(['script', 'form', 'object', 'svg', 'canvas']);
const EMBEDS = new Set(['iframe', 'video', 'audio', 'embed']);
/** Longer than any URL with its other attributes. */
const MAX_TAG = 5000;
const SOURCE = /\bsrc\s{0,20}=\s{0,20}["']?((?:https?:)?\/\/[^"'\s>]+)/i;

/** Embedded players become links, without their fallback text; forms, scripts and drawings are left out. */
function withoutEmbeds(html: string, warn: Warn): string {
  const parts: string[] = [];
  let [at, open] = [0, ''];
  for (const { name, isClosing, attributes, start, end } of tagsOf(html)) {
    const tag = name.toLowerCase();
    const isEnd = isClosing && tag === open;
    open = '';
    if (isEnd) at = end;
    if (isClosing || !EMBEDS.has(tag)) continue;
    const url = SOURCE.exec(attributes.slice(0, MAX_TAG))?.[1]?.replace(/^\/\//, 'https://');
    warn(
      'html',
      'EMBED',
      url
        ? `An embedded ${tag} was replaced with a link to ${url.slice(0, SHOWN)}.`
        : `An embedded ${tag} was left out.`,
    );
    parts.push(html.slice(at, start), url ? `<p><a href="${url}">${url}</a></p>` : '');
    [at, open] = [end, tag];
  }
  const linked = parts.join('') + html.slice(at);
  const lost = new Set<string>();
  for (const { name, isClosing } of tagsOf(linked)) if (!isClosing && DROPPED.has(name.toLowerCase())) lost.add(name);
  for (const tag of new Set([...lost].map((name) => name.toLowerCase())))
    warn('html', 'DROPPED', `The text contains ${tag} elements. They were left out.`);
  return linked;
}

function withoutPlaceholder(html: string, warn: Warn): string {
  if (!html.includes(URL_PLACEHOLDER)) return html;
  const fix = `replace ${URL_PLACEHOLDER} in the file with the URL of your blog.`;
  let count = 0;
  const kept = replaceTags(html, ({ name, attributes }) => {
    if (name.toLowerCase() !== 'img' || !attributes.includes(URL_PLACEHOLDER)) return null;
    count++;
    return '';
  });
  if (count === 1)
    warn(
      'html',
      'NO_URL',
      `An image was left out because its URL doesn't contain the address of your blog. To import it, ${fix}`,
    );
  if (count > 1)
    warn(
      'html',
      'NO_URL',
      `${count} images were left out because their URLs don't contain the address of your blog. To import them, ${fix}`,
    );
  if (kept.includes(URL_PLACEHOLDER))
    warn('html', 'NO_URL', 'Links to the blog itself were changed to relative links, such as /about/.');
  return kept.replaceAll(URL_PLACEHOLDER, '');
}

function featureImage(post: Post, warn: Warn): string | null {
  const url = textOf(post.feature_image);
  if (!url.startsWith(URL_PLACEHOLDER)) return url || null;
  warn(
    'feature_image',
    'NO_URL',
    `The feature image ${url.slice(0, SHOWN)} was left out. To import it, replace ${URL_PLACEHOLDER} in the file with the URL of your blog.`,
  );
  return null;
}

/** Names of tags or authors: objects with a name, or strings. */
const namesOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [])
    .slice(0, MAX_NAMES)
    .map((each) => (isRecord(each) ? textOf(each.name) : textOf(each)).slice(0, MAX_NAME))
    .filter((name) => name !== '');

/** Names as the block expects them. A selection keeps only its options. */
function chosen(field: string, names: string[], to: Conversion, warn: Warn): string | string[] | null {
  if (names.length === 0) return null;
  const block = blockFor(field, to, ALIASES);
  if (block?.type !== 'SELECT' && block?.type !== 'MULTI_SELECT') return names.join(', ');
  const settings = isRecord(block.settings) ? block.settings : {};
  const options = (Array.isArray(settings.options) ? settings.options : []).map((option) =>
    isRecord(option) ? textOf(option.value) : textOf(option),
  );
  const known = names.filter((name) => options.includes(name));
  const kept = block.type === 'SELECT' ? known.slice(0, 1) : known;
  const lost = names.filter((name) => !kept.includes(name));
  if (lost.length > 0)
    warn(
      field,
      'DROPPED',
      `“${lost.join(', ').slice(0, SHOWN)}” was left out because it is not an option of the field ${block.id}.`,
    );
  return block.type === 'SELECT' ? (kept[0] ?? null) : kept;
}

/** The reason to reject a post that would be imported without its text. */
function emptyPost(row: number, post: Post, html: string, block: BlockDefinition | undefined): RowError | null {
  const isEmpty = htmlToText(html) === '' && !/<(?:img|hr)\b/i.test(html);
  if (!isEmpty && !block) {
    const fix = 'Add a field named html, body, content or text.';
    return rowError(row, 'html', 'REQUIRED', `The collection has no field for the text of posts. ${fix}`);
  }
  const hasSource = ['html', 'plaintext'].some((field) => textOf(post[field]).trim() !== '');
  if (isEmpty && (hasSource || post.status === 'published' || post.status === 'scheduled'))
    return rowError(row, 'html', 'NO_TEXT', 'The post has no text that can be imported.');
  return null;
}

/** Omits a slug that would be invalid here, so that one is generated from the title. */
const slugOf = (post: Post) => {
  const slug = textOf(post.slug);
  return slug !== '' && slugFrom(slug, '') === slug ? { slug } : {};
};

type Status = { status: 'DRAFT' | 'PUBLISHED'; timestamp?: number };

/** The access to the post. Null if the collection has no matching subscribers or plans. */
function accessOf(visibility: string, { collection }: Conversion): Pick<EntrySettings, 'access' | 'planIds'> | null {
  if (visibility === 'public') return {};
  if (collection?.type !== 'NEWSLETTER') return null;
  if (visibility === 'members') return { access: 'SUBSCRIBERS' };
  const planIds = collection.plans.filter(({ price }) => (price?.amount ?? 0) > 0).map(({ id }) => id);
  return visibility === 'paid' && planIds.length > 0 ? { access: 'PLANS', planIds } : null;
}

/** A restricted post becomes a draft if its access can't be mapped, because it would be public here. */
function statusesOf(
  post: Post,
  isRestricted: boolean,
  publishedAt: number | undefined,
  now: number,
  warn: Warn,
): Status[] {
  const status = textOf(post.status);
  if (isRestricted) {
    warn(
      'visibility',
      'RESTRICTED',
      `Only ${READERS[textOf(post.visibility)] ?? 'some people'} could read this post. It was imported as a draft.`,
    );
    return [{ status: 'DRAFT' }];
  }
  if (status === 'published') return [{ status: 'PUBLISHED' }];
  if (status === 'scheduled' && publishedAt !== undefined && publishedAt > now)
    return [{ status: 'DRAFT' }, { status: 'PUBLISHED', timestamp: publishedAt }];
  if (status === 'scheduled' && publishedAt !== undefined) return [{ status: 'PUBLISHED' }];
  if (status !== 'draft' && status !== '')
    warn('status', 'DROPPED', `The status ${status.slice(0, 40)} is not supported. The post was imported as a draft.`);
  return [{ status: 'DRAFT' }];
}
