import { getBusiness } from '../../businesses/index.ts';
import type { Query } from '../context.ts';

type Reader = Parameters<typeof getBusiness>[0] & Pick<Query, 'publicUrl'>;

/** What authenticator apps and passkeys show as the site of the account: the business whose storefront asks, or our own host. */
export async function issuerName(ctx: Reader, businessId: string | undefined): Promise<string> {
  return businessId === undefined ? new URL(ctx.publicUrl()).hostname : (await getBusiness(ctx, businessId)).name;
}
