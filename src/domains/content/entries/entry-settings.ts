/** The fields of an entry besides its blocks: slug, access and text for search engines. */
import { violatesUnique } from '../../../db/errors.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { localText } from '../../../shared/text/locales.ts';
import { slugCandidates, slugFrom } from '../../../shared/text/slugs.ts';
import { findCollection } from '../collections/queries.ts';
import { NEWSLETTER } from '../collections/schemas.ts';
import type { Command } from '../context.ts';
import { collectionIdOf } from '../owners.ts';
import { isGated } from './public-part.ts';
import { listTakenSlugs } from './queries.ts';
import type { Entry, EntryInput } from './schemas.ts';

export type EntrySettings = Pick<Entry, 'slug' | 'access' | 'planIds' | 'seo'>;

/** Path segments reserved for websites, which can't be entry slugs. */
const RESERVED_SLUGS: readonly string[] = ['feed.xml'];

/** Fields without a value are left out. */
export const settingsOf = ({ slug, access = 'PUBLIC', planIds, seo }: EntrySettings): EntrySettings => ({
  ...(slug === undefined ? {} : { slug }),
  ...(access === 'PUBLIC' ? {} : { access }),
  ...(access === 'PLANS' ? { planIds: planIds ?? [] } : {}),
  ...(seo && Object.keys(seo).length > 0 ? { seo } : {}),
});

/** Replaces all settings of the entry. */
export function withSettings(entry: Entry, settings: EntrySettings): Entry {
  const { slug: _slug, access: _access, planIds: _planIds, seo: _seo, ...rest } = entry;
  return { ...rest, ...settings };
}

/** The settings that drafts and versions cover. */
export const draftedSettings = ({ slug, seo = {} }: EntrySettings) => ({
  ...(slug === undefined ? {} : { slug }),
  seo,
});

type SettingsChange = { id: string; owner: string; before: EntrySettings & { owner?: string }; changes: EntryInput };

/** Returns the settings with the changes applied. Adds an error for each invalid field. */
export async function changeSettings(
  ctx: Command,
  { id, owner, before, changes }: SettingsChange,
  errors: FieldError[],
): Promise<EntrySettings> {
  const { slug, ...kept } = before;
  const keepsSlug = slug !== undefined && collectionIdOf(owner) !== null;
  const settings = settingsOf({ ...kept, ...(keepsSlug ? { slug } : {}), ...sentSettings(changes) });
  const hasMoved = owner !== before.owner;
  const isNewAccess = changes.access !== undefined || changes.planIds !== undefined || hasMoved;
  if (isNewAccess) errors.push(...(await checkAccess(ctx, owner, settings, before, changes)));
  if (settings.slug !== undefined && (settings.slug !== before.slug || hasMoved)) {
    errors.push(...(await checkSlug(ctx, id, owner, settings.slug)));
  }
  return settings;
}

/** The settings that a request changes. */
export const sentSettings = ({ slug, access, planIds, seo }: EntryInput): EntrySettings => ({
  ...(slug === undefined ? {} : { slug }),
  ...(access === undefined ? {} : { access }),
  ...(planIds === undefined ? {} : { planIds }),
  ...(seo === undefined ? {} : { seo }),
});

async function checkSlug({ db, businessId }: Command, id: string, owner: string, slug: string): Promise<FieldError[]> {
  const invalid = (error: string, message: string) => [{ field: 'slug', error, message }];
  if (RESERVED_SLUGS.includes(slug)) return invalid('INVALID_VALUE', 'slug is reserved. Choose a different one.');
  if (collectionIdOf(owner) === null) return invalid('INVALID_VALUE', 'Only entries of a collection have a slug.');
  const taken = await listTakenSlugs(db, businessId, { owner, id, slugs: [slug] });
  return taken.length === 0 ? [] : invalid('DUPLICATE', 'slug is already used by another entry of the collection.');
}

/** Only newsletters have subscribers and plans. Plans that the entry already has are accepted, even if they were deleted. */
async function checkAccess(
  { db, businessId }: Command,
  owner: string,
  settings: EntrySettings,
  before: EntrySettings,
  changes: EntryInput,
): Promise<FieldError[]> {
  const { access = 'PUBLIC', planIds = [] } = settings;
  if (access !== 'PLANS' && changes.planIds?.length) {
    return [{ field: 'planIds', error: 'INVALID_VALUE', message: 'planIds are only allowed if access is PLANS.' }];
  }
  if (!isGated(settings)) return [];
  const collectionId = collectionIdOf(owner);
  const collection = collectionId === null ? null : await findCollection(db, businessId, collectionId);
  if (collection?.doc.type !== NEWSLETTER) {
    const message = `access can be ${access} only for entries of a newsletter. Other collections have no subscribers.`;
    return [{ field: 'access', error: 'INVALID_VALUE', message }];
  }
  if (access !== 'PLANS') return [];
  if (planIds.length === 0) {
    return [{ field: 'planIds', error: 'REQUIRED', message: 'planIds is required if access is PLANS.' }];
  }
  const known = new Set([...collection.doc.plans.map((plan) => plan.id), ...(before.planIds ?? [])]);
  return planIds.flatMap((planId, i) => {
    const field = `planIds[${i}]`;
    return known.has(planId)
      ? []
      : [{ field, error: 'NOT_FOUND', message: `${field} is not a plan of the newsletter.` }];
  });
}

/** A free slug generated from the title. Undefined if there is no title, or if the entry doesn't belong to a collection. */
export async function generateSlug(
  { db, businessId }: Command,
  { id, owner, locale, blocks }: Pick<Entry, 'id' | 'owner' | 'locale' | 'blocks'>,
): Promise<string | undefined> {
  const title = blocks.find((block) => block.id === 'title' && block.type === 'TEXT')?.value;
  const base = title && collectionIdOf(owner) !== null ? slugFrom(localText(title, locale), '') : '';
  if (base === '') return undefined;
  const slugs = slugCandidates(base);
  const taken = new Set(await listTakenSlugs(db, businessId, { owner, id, slugs }));
  return slugs.find((slug) => !taken.has(slug));
}

/** Another entry took the slug between check and write. A retry reports it or generates another. */
export const isSlugTaken = (error: unknown) => violatesUnique(error, 'entries_slug');
