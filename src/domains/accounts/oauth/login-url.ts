import { spend } from '../../../db/limits.ts';
import { badRequest, invalid } from '../../../shared/errors.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { command } from '../context.ts';
import { checkLoginUrls } from './check-login-urls.ts';
import { insertFlow } from './flow-queries.ts';
import { findProviderKind } from './providers.ts';
import type { LoginUrl, LoginUrlQuery } from './schemas.ts';
import { hashSecret } from './seals.ts';

const FLOW_SECONDS = 600;

/** Starts a login at the identity provider. The state and nonce are stored for ten minutes to verify the redirect. */
export const loginUrl = command({
  async prepare(ctx, query: LoginUrlQuery) {
    const { idp, limits } = ctx.accounts;
    if (!idp || (await findProviderKind(ctx, query.provider)) !== 'OAUTH') throw badRequest('Invalid provider.');
    const { originUrl, redirectUrl: sentUrl = originUrl } = query;
    const errors = checkLoginUrls(ctx.origins, originUrl, sentUrl);
    if (errors.length > 0) throw invalid(errors);
    const address = addressKey(ctx.address);
    await spend(ctx, limits.address, address);

    const secrets = idp.newSecrets();
    const redirectUrl = new URL(sentUrl).href;
    const url = await idp.authorizationUrl({ ...secrets, redirectUrl });
    return { url, secrets, origin: new URL(originUrl).origin, redirectUrl, address };
  },
  async execute(ctx, { url, secrets, origin, redirectUrl, address }): Promise<LoginUrl> {
    await insertFlow(ctx.db, {
      stateHash: hashSecret(secrets.state),
      nonceHash: hashSecret(secrets.nonce),
      origin,
      redirectUrl,
      address,
      createdAt: ctx.now,
      expiresAt: ctx.now + FLOW_SECONDS,
    });
    return { url };
  },
});
