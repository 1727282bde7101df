import { type Tx, violatesUnique } from '../../db/connection.ts';
import { type Permission, userSubject } from '../../shared/caller.ts';
import { invalid, invalidField } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { numberedSlug, slugFrom } from '../../shared/slugs.ts';
import { checkConfigs } from './configs.ts';
import type { BusinessContext } from './context.ts';
import { type BusinessRow, insertBusiness, insertMember, insertRole, isSlugTaken } from './queries.ts';
import type { BusinessInput } from './schemas.ts';

const FIRST_ROLES: { name: string; permissions: Permission[] }[] = [
  { name: 'ADMIN', permissions: ['ADMIN'] },
  {
    name: 'EDITOR',
    permissions: ['CATALOG_WRITE', 'CONTENT_READ', 'CONTENT_WRITE', 'NEWSLETTER_SEND', 'MEDIA_WRITE'],
  },
  { name: 'SUPPORT', permissions: ['ORDER_READ', 'ORDER_WRITE', 'SUBSCRIBER_READ'] },
];

/** A business with its first roles; `creatorId` becomes its ADMIN. `id` is for the demo, whose address is known beforehand. */
export async function createBusiness(
  context: BusinessContext,
  tx: Tx,
  creatorId: string,
  input: BusinessInput,
  id: string = newId('biz'),
): Promise<BusinessRow> {
  const errors = checkConfigs(input.configs ?? {}, {});
  if (errors.length > 0) throw invalid(errors);
  const now = context.clock.seconds();
  const row: BusinessRow = {
    id,
    name: input.name,
    slug: input.slug ?? (await freeSlug(tx, slugFrom(input.name))),
    configs: context.vault.merge(id, input.configs ?? {}, {}),
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await insertBusiness(tx, row).catch(refuseTakenSlug);
  for (const role of FIRST_ROLES) {
    const roleId = newId('role');
    await insertRole(tx, { businessId: id, id: roleId, createdAt: now, ...role });
    if (role.name === 'ADMIN') await insertMember(tx, id, creatorId, roleId);
  }
  await context.broadcast.publish(tx, userSubject(creatorId));
  return row;
}

export function refuseTakenSlug(error: unknown): never {
  if (violatesUnique(error, 'businesses_slug')) {
    throw invalidField('slug', 'DUPLICATE', 'slug is taken by another business.');
  }
  throw error;
}

async function freeSlug(tx: Tx, slug: string): Promise<string> {
  let free = slug;
  for (let n = 2; await isSlugTaken(tx, free); n++) {
    free = numberedSlug(slug, n < 10 ? n : 10 ** 6 + Math.floor(Math.random() * 9 * 10 ** 6));
  }
  return free;
}
