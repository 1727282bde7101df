/** Renders an entry as an email with placeholders for the recipient. Pure. */
import type { BlockDefinition, BlockValue } from '../../../shared/blocks/index.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { type Brand, lightAccent } from '../../../shared/mail/brand.ts';
import { type MailProducts, withPlainElements } from '../../../shared/mail/elements.ts';
import { textsIn } from '../../../shared/mail/languages.ts';
import { plainText } from '../../../shared/mail/plain-text.ts';
import { absolute, absoluteLinks, hasUnsafeLink, image, paragraphs, richText } from '../../../shared/mail/rich-text.ts';
import {
  escapeTemplate,
  isBlank,
  isUsed,
  join,
  type Lookup,
  mapText,
  oneLine,
  parseTemplate,
  resolve,
  type Template,
} from '../../../shared/mail/template.ts';
import { localText } from '../../../shared/text/locales.ts';
import { addPixel, type Tracking, trackLinks } from '../stats/track-links.ts';
import { blockText, isRichText, mediaOf, richValue } from './block-text.ts';
import { type Design, withDesign } from './design.ts';
import { htmlDocument, trackingNotice } from './layout.ts';
import { isCertainlyTooLarge, tooLarge } from './message-size.ts';
import { RECIPIENT_VARIABLES } from './template.ts';

export type RenderInput = {
  businessName: string;
  brand?: Pick<Brand, 'logo' | 'color'>;
  publicUrl: string;
  collection: { name: string; blocks: readonly BlockDefinition[] };
  entry: { id: string; locale: string; blocks: readonly BlockValue[] };
  tracking?: Tracking | undefined;
  /** The subjects of an experiment, which replace the subject of the entry. */
  subjects?: readonly string[] | undefined;
  /** The links of the other versions of an experiment. */
  knownLinks?: readonly string[] | undefined;
  design?: Design;
  /** The legal name and postal address of the sender. */
  legal?: readonly string[];
  /** The products in its rich text, by ID. */
  products?: MailProducts;
};

const MAX_INSERTED = 1_000_000;

/** More errors than this are likely repetitions of one mistake. */
const MAX_ERRORS = 20;

/** The email. Only recipient variables are left as placeholders. `links` are the targets of tracked links. */
type Content = { subject: Template; text: Template; html: Template; subjects: Template[]; links: string[] };

const EMPTY: Content = { subject: [], text: [], html: [], subjects: [], links: [] };

const UNTRACKED: Tracking = { opens: false, clicks: false };

/** `errors` lists unknown variables by the block that uses them. */
export function renderEntry(input: RenderInput): { content: Content; errors: FieldError[] } {
  const { entry, collection, businessName, publicUrl, products = new Map(), design = {}, legal = [] } = input;
  const { tracking = UNTRACKED, subjects = [], knownLinks = [] } = input;
  const { logo, color } = input.brand ?? { logo: null, color: null };
  const brand = { logo, color: design.color ?? color };
  const accent = lightAccent(brand);
  const definitions = new Map(collection.blocks.map((definition) => [definition.id, definition]));
  const errors: FieldError[] = [];
  const report = (error: FieldError) => errors.length < MAX_ERRORS && errors.push(error);
  const lookup = lookupFor(input, definitions);
  const resolveAt = (template: Template, i: number, find: Lookup = lookup) =>
    resolve(template, find, (variable) => report(unknownVariable(variable, `blocks[${i}].value`)));

  const html: Template[] = [];
  const text: Template[] = [];
  for (const [i, block] of entry.blocks.entries()) {
    if (block.id === 'subject' || block.value === null || block.value === undefined) continue;
    if (block.type === 'MEDIA') {
      for (const { url, mimeType, alt } of mediaOf(block.value)) {
        if (mimeType === undefined || mimeType.startsWith('image/')) {
          html.push([image(absolute(url, publicUrl), localText(alt, entry.locale))]);
        }
      }
    }
    if (block.type !== 'TEXT') continue;
    const isRich = isRichText(definitions.get(block.id));
    if (isCertainlyTooLarge(localText(block.value, entry.locale)))
      return { content: EMPTY, errors: [tooLarge(`blocks[${i}].value`)] };
    const value = isRich
      ? absoluteLinks(richValue(block.value, entry.locale), publicUrl)
      : localText(block.value, entry.locale);
    if (isRich) {
      if (hasUnsafeLink(value, ['unsubscribeUrl', 'viewUrl', 'referralUrl'])) report(unsafeLink(i));
      html.push(resolveAt(parseTemplate(richText(value, accent, products)), i, escaped(lookup)));
      text.push(resolve(parseTemplate(plainText(withPlainElements(value, products))), lookup, () => {}));
    } else {
      const words = resolveAt(parseTemplate(value), i);
      html.push(paragraphs(words, block.id === 'title'));
      text.push(words);
    }
  }
  const subject = subjectOf(input, definitions, resolveAt, lookup);
  const has = (variable: string) => [...html, ...text].some((template) => isUsed(template, variable));
  const links = { unsubscribe: !has('unsubscribeUrl'), view: !has('viewUrl') };
  const bodies = withDesign({ html, text }, design, { accent, publicUrl, locale: entry.locale });
  const document = {
    title: subject,
    locale: entry.locale,
    parts: bodies.html,
    brand: { name: businessName, ...brand },
    newsletter: collection.name,
    links,
    tracking,
    legal,
  };
  const words = textsIn(entry.locale).newsletter;
  const notice = trackingNotice(words, tracking);
  const lines: Template[] = [
    ...(links.view ? [[`\n${words.view}: `, { variable: 'viewUrl' }]] : []),
    ...(links.unsubscribe
      ? [[`\n${words.reason(collection.name, businessName)}\n${words.unsubscribe}: `, { variable: 'unsubscribeUrl' }]]
      : []),
    ...(notice === '' ? [] : [[`\n${notice} ${words.optOut}: `, { variable: 'unsubscribeUrl' }]]),
  ];
  const footer: Template[] = lines.length === 0 ? [] : [['-- \n', legal.join('\n') || businessName, ...lines.flat()]];
  const framed = htmlDocument(document);
  const tracked = tracking.clicks ? trackLinks(framed, knownLinks) : { html: framed, links: [] };
  return {
    content: {
      subject,
      html: tracking.opens ? addPixel(tracked.html) : tracked.html,
      text: join([...bodies.text, ...footer].flatMap((part) => [...part, '\n\n'])),
      subjects: subjects.map((given, i) => {
        const unknown = (variable: string) => report(unknownVariable(variable, `experiment.subjects[${i}]`));
        return mapText(resolve(parseTemplate(given), lookup, unknown), oneLine);
      }),
      links: tracked.links,
    },
    errors,
  };
}

/** The block `subject`, or else `title`, or else the newsletter's name. Errors in the title are already reported for the body. */
function subjectOf(
  { entry, collection }: RenderInput,
  definitions: Map<string, BlockDefinition>,
  resolveAt: (template: Template, i: number) => Template,
  lookup: Lookup,
): Template {
  for (const id of ['subject', 'title']) {
    const i = entry.blocks.findIndex((block) => block.id === id && block.type === 'TEXT');
    const block = entry.blocks[i];
    const text = block && blockText(block, definitions.get(id), entry.locale);
    if (!text?.trim()) continue;
    const template = parseTemplate(text);
    return mapText(id === 'subject' ? resolveAt(template, i) : resolve(template, lookup, () => {}), oneLine);
  }
  return [oneLine(collection.name)];
}

/** Blocks can refer to other blocks, but not in a cycle. The total size of inserted text is limited. */
function lookupFor({ entry, businessName }: RenderInput, definitions: Map<string, BlockDefinition>): Lookup {
  const found = new Map<string, Template | null>();
  let left = MAX_INSERTED;
  function read(variable: string): Template | null {
    const block = entry.blocks.find(({ id }) => variable === `entry.${id}`);
    if (!block) return null;
    let known = true;
    const value = resolve(parseTemplate(blockText(block, definitions.get(block.id), entry.locale)), lookup, () => {
      known = false;
    });
    return known && !isBlank(value) ? value : null;
  }
  function lookup(variable: string): Template | null {
    if ((RECIPIENT_VARIABLES as readonly string[]).includes(variable)) return [{ variable }];
    if (variable === 'business.name') return [businessName];
    if (variable === 'entry.id') return [entry.id];
    if (variable === 'entry.locale') return [entry.locale];
    if (!found.has(variable)) {
      // A block has no value while it is being resolved, which ends cycles.
      found.set(variable, null);
      found.set(variable, read(variable));
    }
    const value = found.get(variable) ?? null;
    for (const part of value ?? []) left -= typeof part === 'string' ? part.length : 1;
    return left < 0 ? null : value;
  }
  return lookup;
}

const escaped =
  (lookup: Lookup): Lookup =>
  (variable) => {
    const found = lookup(variable);
    return found && escapeTemplate(found);
  };

const unknownVariable = (variable: string, field: string): FieldError => ({
  field,
  error: 'UNKNOWN_VARIABLE',
  message: `${field} uses {{${variable.slice(0, 100)}}}, which is unknown or empty.`,
});

const unsafeLink = (i: number): FieldError => ({
  field: `blocks[${i}].value`,
  error: 'INVALID_VALUE',
  message: `Links in blocks[${i}].value must start with fixed text such as https://. Only {{unsubscribeUrl}}, {{viewUrl}} and {{referralUrl}} can replace a whole URL.`,
});
