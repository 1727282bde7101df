import { isDeepStrictEqual } from 'node:util';
import type { Versioned } from '../../context/index.ts';
import { NOTHING_PREPARED, type PreparedTexts } from '../../shared/blocks/index.ts';
import { invalid } from '../../shared/errors.ts';
import { checkConfigs, completeConfigs } from './configs.ts';
import { businessSubject, type Command, command } from './context.ts';
import { isSlugTaken, slugTaken } from './create-business.ts';
import { numberInvoices } from './invoicing.ts';
import { type BusinessRow, updateBusiness } from './queries.ts';
import { showBusiness, withCurrentNumber } from './read-businesses.ts';
import { lockWith } from './roles/lock.ts';
import type { Business, BusinessChange } from './schemas.ts';
import { checkSecurity, plain, setEnforcementDate } from './security.ts';
import { changeHosts } from './storefront/change-hosts.ts';
import { prepareLegal } from './storefront/prepare-legal.ts';
import { SECRETS } from './vault.ts';

type PreparedChange = { change: BusinessChange; texts?: PreparedTexts };

export const changeBusiness = command({
  prepare: async (ctx, change: BusinessChange) => ({
    change,
    texts: await prepareLegal(ctx.businessId, change.configs?.storefront),
  }),
  execute: saveBusiness,
});

/** Settings that are sent back unchanged have no effect: no version, no event. */
export async function saveBusiness(
  ctx: Command,
  { change, texts = NOTHING_PREPARED }: PreparedChange,
): Promise<Versioned<Business>> {
  const { db: tx, businessId } = ctx;
  const business = await lockWith(ctx, businessId, 'BUSINESS_WRITE');
  ctx.checkVersion(business.version);
  const configs = completeConfigs(change.configs ?? {}, texts);
  const errors = checkConfigs(configs, business.configs);
  if (errors.length > 0) throw invalid(errors);
  if (configs.storefront) await changeHosts(ctx, businessId, configs.storefront.hosts ?? []);
  const invoicing = configs.invoicing && (await numberInvoices(ctx, configs.invoicing, business.configs));
  const security = configs.security && setEnforcementDate(configs.security, business.configs.security, ctx.now);
  const sections = { ...configs, ...(invoicing && { invoicing }), ...(security && { security }) };
  const next = {
    ...business,
    name: change.name ?? business.name,
    slug: change.slug ?? business.slug,
    configs: ctx.businesses.vault.merge(businessId, sections, business.configs),
  };
  if (isDeepStrictEqual(plain(next), plain(business))) {
    return { record: await withCurrentNumber(ctx, showBusiness(ctx, business)), version: business.version };
  }
  const changed: BusinessRow = { ...next, version: business.version + 1, updatedAt: ctx.now };
  await checkSecurity(ctx, business.configs, changed.configs);
  await updateBusiness(tx, changed).catch((error) => {
    throw isSlugTaken(error) ? slugTaken() : error;
  });
  await ctx.publish(businessSubject(businessId));
  const record = showBusiness(ctx, changed);
  const before = withPreviousSecrets(showBusiness(ctx, business), business, changed);
  ctx.emit({ type: 'business.updated', entity: `business:${businessId}`, data: record, before });
  return { record: await withCurrentNumber(ctx, record), version: changed.version };
}

/** Two secrets may have the same mask. Marks replaced secrets, so that the event lists them as changed. */
function withPreviousSecrets(shown: Business, before: BusinessRow, after: BusinessRow): Business {
  const [previous, current] = [before.configs.paymentProvider, after.configs.paymentProvider];
  const replaced = SECRETS.filter((name) => previous?.[name] !== undefined && previous[name] !== current?.[name]);
  if (replaced.length === 0) return shown;
  const masked = Object.fromEntries(replaced.map((name) => [name, '**** (previous)']));
  return { ...shown, configs: { ...shown.configs, paymentProvider: { ...shown.configs.paymentProvider!, ...masked } } };
}
