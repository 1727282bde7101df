import { consumeLimit } from '../../../db/limits.ts';
import type { IdentityProvider } from '../../../providers/oauth/port.ts';
import { invalid } from '../../../shared/errors.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { command, type Steps } from '../context.ts';
import { getConnection } from '../sso/show-sso.ts';
import { checkLoginUrls } from './check-login-urls.ts';
import { insertFlow } from './flow-queries.ts';
import { badProvider, findProviderKind } from './providers.ts';
import type { LoginUrl, LoginUrlQuery } from './schemas.ts';
import { hashSecret } from './seals.ts';

const FLOW_SECONDS = 600;

/** Starts a login with the identity provider. The state and nonce are stored for ten minutes to verify the redirect. */
export const loginUrl = command({
  async prepare(ctx, query: LoginUrlQuery) {
    const ssoBusiness = (await findProviderKind(ctx, query.provider)) === 'SSO' ? (query.businessId ?? '') : null;
    const { originUrl, redirectUrl: sentUrl = originUrl } = query;
    const errors = checkLoginUrls(ctx.origins, originUrl, sentUrl, ssoBusiness);
    if (errors.length > 0) throw invalid(errors);
    const address = addressKey(ctx.address);
    await consumeLimit(ctx, ctx.accounts.limits.address, address);

    const idp = await chooseProvider(ctx, query.provider, ssoBusiness);
    const secrets = idp.newSecrets();
    const redirectUrl = new URL(sentUrl).href;
    const url = await idp.authorizationUrl({ ...secrets, redirectUrl });
    return { url, secrets, origin: new URL(originUrl).origin, redirectUrl, address, ssoBusiness };
  },
  async execute(ctx, { url, secrets, origin, redirectUrl, address, ssoBusiness }): Promise<LoginUrl> {
    await insertFlow(ctx.db, {
      stateHash: hashSecret(secrets.state),
      nonceHash: hashSecret(secrets.nonce),
      origin,
      redirectUrl,
      address,
      ssoBusiness,
      createdAt: ctx.now,
      expiresAt: ctx.now + FLOW_SECONDS,
    });
    return { url };
  },
});

/** Throws 400 for an unknown provider, and 404 for a business without single sign-on. */
async function chooseProvider(ctx: Steps, name: string, ssoBusiness: string | null): Promise<IdentityProvider> {
  if (ssoBusiness !== null) {
    const connection = await getConnection({ db: ctx.db, businessId: ssoBusiness });
    return ctx.accounts.ssoProvider(connection);
  }
  const { idp } = ctx.accounts;
  if (!idp || (await findProviderKind(ctx, name)) !== 'OAUTH') throw badProvider('SSO');
  return idp;
}
