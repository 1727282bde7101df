import type { Versioned } from '../../../context/index.ts';
import { consumeLimit } from '../../../db/limits.ts';
import { command } from '../context.ts';
import { mailKeyOwners } from '../keys/unconfirm-keys.ts';
import { type DomainRow, listDomains, updateVerified } from './queries.ts';
import { finishChange } from './save-sso.ts';
import type { Sso } from './schemas.ts';
import { getConnection, recordName, recordValue, showSso } from './show-sso.ts';

/** Looks up the DNS records of unverified domains. A domain whose record has the value of this business is verified. */
export const verifyDomains = command({
  async prepare(ctx): Promise<DomainRow[]> {
    const { db, businessId, accounts } = ctx;
    await getConnection(ctx);
    await consumeLimit(ctx, accounts.limits.dns, businessId);
    const open = (await listDomains(db, businessId)).filter(({ verifiedAt }) => verifiedAt === null);
    const records = await Promise.all(open.map(({ domain }) => accounts.findTxt(recordName(domain))));
    return open.filter((row, i) => records[i]!.includes(recordValue(row)));
  },
  async execute(ctx, proven): Promise<Versioned<Sso>> {
    const connection = await getConnection(ctx);
    const before = await showSso(ctx, connection);
    for (const row of proven) await updateVerified(ctx.db, ctx.businessId, row, ctx.now);
    const domains = proven.map(({ domain }) => domain);
    // Members of these domains need single sign-on from now on, so their keys wait for a confirmation.
    if (connection.isEnforced && domains.length > 0) await mailKeyOwners(ctx, ctx.businessId, domains);
    return finishChange(ctx, connection, before);
  },
});
