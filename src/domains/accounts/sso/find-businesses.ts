import { consumeLimit } from '../../../db/limits.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { domainOf } from '../../../shared/text/email.ts';
import { command } from '../context.ts';
import { listBusinessesOfDomain } from './queries.ts';
import type { SsoBusinesses } from './schemas.ts';

/** Looks at the domain only, so it reveals no accounts. */
export const findSsoBusinesses = command({
  async prepare(ctx, email: string): Promise<SsoBusinesses> {
    await consumeLimit(ctx, ctx.accounts.limits.address, addressKey(ctx.address));
    return { items: await listBusinessesOfDomain(ctx.db, domainOf(email)) };
  },
  execute: async (_ctx, found) => found,
});
