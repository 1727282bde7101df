import { spend } from '../../../db/limits.ts';
import { addressKey } from '../../../shared/address-key.ts';
import { badRequest, invalid } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';
import { checkAddresses } from './check-addresses.ts';
import { insertFlow } from './flow-queries.ts';
import { providerKind } from './providers.ts';
import type { LoginUrl, LoginUrlQuery } from './schemas.ts';
import { hashSecret } from './seals.ts';

const FLOW_SECONDS = 600;

/** Begins a login at the identity provider: what must fit when the person comes back is stored for ten minutes. */
export async function loginUrl(ctx: Steps, query: LoginUrlQuery): Promise<LoginUrl> {
  const { idp, limits } = ctx.accounts;
  if (!idp || providerKind(ctx, query.provider) !== 'OAUTH') throw badRequest('Invalid provider.');
  const { originUrl, redirectUrl = originUrl } = query;
  const errors = checkAddresses(ctx.origins, originUrl, redirectUrl);
  if (errors.length > 0) throw invalid(errors);
  const address = addressKey(ctx.address);
  await spend(ctx, limits.address, address);

  const secrets = idp.newSecrets();
  const target = new URL(redirectUrl).href;
  const url = await idp.authorizationUrl({ ...secrets, redirectUrl: target });
  await ctx.write((tx) =>
    insertFlow(tx, {
      stateHash: hashSecret(secrets.state),
      nonceHash: hashSecret(secrets.nonce),
      origin: new URL(originUrl).origin,
      redirectUrl: target,
      address,
      createdAt: ctx.now,
      expiresAt: ctx.now + FLOW_SECONDS,
    }),
  );
  return { url };
}
