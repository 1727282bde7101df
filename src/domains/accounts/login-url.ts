import { createHash } from 'node:crypto';
import { inTransaction } from '../../db/connection.ts';
import { badRequest, type FieldError, invalid } from '../../shared/errors.ts';
import { deriveKey, seal } from '../../shared/secrets.ts';
import type { AccountsContext } from './context.ts';
import { addressKey } from './limits.ts';
import { insertFlow } from './oauth-queries.ts';
import { providerKind } from './providers.ts';
import type { LoginUrlQuery } from './schemas.ts';

const FLOW_SECONDS = 600;

/** Begins a login at the identity provider: what must fit when the person comes back is kept for ten minutes. */
export async function loginUrl(context: AccountsContext, query: LoginUrlQuery, address: string): Promise<string> {
  const { idp, pool, clock, limiter, limits } = context;
  if (!idp || providerKind(context, query.provider) !== 'OAUTH') throw badRequest('Invalid provider.');
  const { originUrl, redirectUrl = originUrl } = query;
  const errors = checkAddresses(context, originUrl, redirectUrl);
  if (errors.length > 0) throw invalid(errors);
  await limiter.spend(limits.address, addressKey(address));

  const secrets = idp.newSecrets();
  const target = new URL(redirectUrl).href;
  const url = await idp.authorizationUrl({ ...secrets, redirectUrl: target });
  const stateHash = hashState(secrets.state);
  const now = clock.seconds();
  await inTransaction(pool, (tx) =>
    insertFlow(tx, {
      stateHash,
      origin: new URL(originUrl).origin,
      redirectUrl: target,
      address: addressKey(address),
      sealed: seal(flowKey(context), JSON.stringify(secrets), stateHash.toString('hex')),
      createdAt: now,
      expiresAt: now + FLOW_SECONDS,
    }),
  );
  return url;
}

export const hashState = (state: string) => createHash('sha256').update(state).digest();

export const flowKey = ({ config }: AccountsContext) => deriveKey(config.secretKey, 'oauth-flows');

export const badOrigin = (): FieldError => ({
  field: 'originUrl',
  error: 'INVALID_ORIGIN_URI',
  message: 'originUrl is not one of the allowed origins.',
});

function checkAddresses({ origins }: AccountsContext, originUrl: string, redirectUrl: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!origins.isOAuthOrigin(originUrl)) errors.push(badOrigin());
  const plain = URL.canParse(redirectUrl) && !/[?#]/.test(redirectUrl);
  if (!plain || !origins.isOAuthRedirect(redirectUrl)) {
    errors.push({
      field: 'redirectUrl',
      error: 'INVALID_REDIRECT_URI',
      message: 'redirectUrl is not one of the allowed addresses, or has a query.',
    });
  }
  return errors;
}
