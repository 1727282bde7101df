import type { Tx } from '../../db/connection.ts';
import { invalid, notFound } from '../../shared/errors.ts';
import { checkIfMatch } from '../../shared/etag.ts';
import { checkConfigs } from './configs.ts';
import { type BusinessContext, businessSubject } from './context.ts';
import { refuseTakenSlug } from './create-business.ts';
import { type BusinessRow, lockBusiness, updateBusiness } from './queries.ts';
import type { BusinessChange } from './schemas.ts';

export async function changeBusiness(
  context: BusinessContext,
  tx: Tx,
  id: string,
  change: BusinessChange,
  ifMatch: string | undefined,
): Promise<BusinessRow> {
  const business = await lockBusiness(tx, id);
  if (!business) throw notFound('Business');
  checkIfMatch(ifMatch, business.version);
  const errors = checkConfigs(change.configs ?? {}, business.configs);
  if (errors.length > 0) throw invalid(errors);
  const changed: BusinessRow = {
    ...business,
    name: change.name ?? business.name,
    slug: change.slug ?? business.slug,
    configs: context.vault.merge(id, change.configs ?? {}, business.configs),
    version: business.version + 1,
    updatedAt: context.clock.seconds(),
  };
  await updateBusiness(tx, changed).catch(refuseTakenSlug);
  await context.broadcast.publish(tx, businessSubject(id));
  return changed;
}
