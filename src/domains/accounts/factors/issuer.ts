import { getBusiness } from '../../businesses/index.ts';
import type { Query } from '../context.ts';

type Reader = Parameters<typeof getBusiness>[0] & Pick<Query, 'publicUrl'>;

/** The name of the site in authenticator apps and passkeys: the business whose storefront makes the request, or our own host. */
export async function issuerName(ctx: Reader, businessId: string | undefined): Promise<string> {
  return businessId === undefined ? new URL(ctx.publicUrl()).hostname : (await getBusiness(ctx, businessId)).name;
}
