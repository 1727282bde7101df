import { violatesUnique } from '../../db/errors.ts';
import type { Tx } from '../../db/sql.ts';
import { NOTHING_PREPARED, type PreparedTexts } from '../../shared/blocks/index.ts';
import { forbidden, invalid, invalidField } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { type Permission, userSubject } from '../../shared/security/caller.ts';
import { slugCandidates, slugFrom } from '../../shared/text/slugs.ts';
import { checkConfigs, completeConfigs } from './configs.ts';
import { businessSubject, type Command, command } from './context.ts';
import { numberInvoices } from './invoicing.ts';
import { type BusinessRow, insertBusiness, listTakenSlugs } from './queries.ts';
import { showBusiness } from './read-businesses.ts';
import { emitMember } from './roles/emit-member.ts';
import { insertMember, insertRole } from './roles/queries.ts';
import type { Business, BusinessInput } from './schemas.ts';
import { setEnforcementDate } from './security.ts';
import { changeHosts } from './storefront/change-hosts.ts';
import { prepareLegal } from './storefront/prepare-legal.ts';

export const DEFAULT_ROLES: { name: string; permissions: Permission[] }[] = [
  { name: 'ADMIN', permissions: ['ADMIN'] },
  {
    name: 'EDITOR',
    permissions: ['CATALOG_WRITE', 'CONTENT_READ', 'CONTENT_WRITE', 'NEWSLETTER_SEND', 'MEDIA_WRITE'],
  },
  {
    name: 'SUPPORT',
    permissions: [
      'ORDER_READ',
      'ORDER_WRITE',
      'SUBSCRIBER_READ',
      'SUBSCRIBER_WRITE',
      'CUSTOMER_READ',
      'CUSTOMER_WRITE',
    ],
  },
];

export const createBusiness = command({
  async prepare({ caller }, input: BusinessInput) {
    if (!caller.isConfirmed) throw forbidden('Log in with a confirmed email address to create a business.');
    return { input, texts: await prepareLegal(caller.userId, input.configs?.storefront) };
  },
  execute: async (ctx, prepared): Promise<Business> =>
    showBusiness(ctx, await addBusiness(ctx, { id: newId('biz'), ...prepared }), true),
});

/** Adds the business with its default roles. The caller becomes its ADMIN. */
export async function addBusiness(
  ctx: Command,
  { id, input, texts = NOTHING_PREPARED }: { id: string; input: BusinessInput; texts?: PreparedTexts },
): Promise<BusinessRow> {
  const { db: tx, now, caller, businesses } = ctx;
  const configs = completeConfigs(input.configs ?? {}, texts);
  const errors = checkConfigs(configs, {});
  if (errors.length > 0) throw invalid(errors);
  const row: BusinessRow = {
    id,
    name: input.name,
    slug: await chooseSlug(tx, input),
    configs: businesses.vault.merge(id, configs, {}),
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  if (row.configs.security) row.configs.security = setEnforcementDate(row.configs.security, undefined, now);
  if (row.configs.invoicing) row.configs.invoicing = await numberInvoices(ctx.within(id), row.configs.invoicing, {});
  if (configs.storefront?.hosts) await changeHosts(ctx, id, configs.storefront.hosts);
  await insertBusiness(tx, row);
  ctx.emit({
    type: 'business.created',
    entity: `business:${id}`,
    data: showBusiness(ctx, row, true),
    businessId: id,
  });
  for (const defaultRole of DEFAULT_ROLES) {
    const role = { businessId: id, id: newId('role'), createdAt: now, ...defaultRole };
    await insertRole(tx, role);
    const data = { ...role, updatedAt: now };
    ctx.emit({ type: 'role.created', entity: `role:${role.id}`, data, businessId: id });
    if (role.name !== 'ADMIN') continue;
    await insertMember(tx, id, caller.userId, role.id, now);
    await emitMember(ctx, id, caller.userId, []);
  }
  // Publishing the business prevents other processes from caching it as missing before the commit.
  await ctx.publish(businessSubject(id));
  await ctx.publish(userSubject(caller.userId));
  return row;
}

/** A concurrent request took the slug between the check and the write. A retry rejects the slug or chooses another. */
export const isSlugTaken = (error: unknown) => violatesUnique(error, 'businesses_slug');

export const slugTaken = () => invalidField('slug', 'DUPLICATE', 'slug is already used by another business.');

/** Chooses a free slug. A requested slug that is taken is an error. */
async function chooseSlug(tx: Tx, { name, slug }: BusinessInput): Promise<string> {
  const candidates = slug === undefined ? slugCandidates(slugFrom(name)) : [slug];
  const taken = await listTakenSlugs(tx, candidates);
  const free = candidates.find((candidate) => !taken.has(candidate));
  if (free === undefined) throw slugTaken();
  return free;
}
