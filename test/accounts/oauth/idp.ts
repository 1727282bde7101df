/** A real OpenID Connect provider on loopback. The test completes its login page. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import Provider from 'oidc-provider';

export type Person = { sub: string; email?: string; email_verified?: boolean; name?: string; groups?: string[] };

export const CLIENT = { id: 'souk', secret: 'a-client-secret' };

export async function startIdp(redirectUris: string[]) {
  const people = new Map<string, Person>();
  let next = '';
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: redirectUris }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: { keys: ['a cookie key'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    interactions: { url: (_ctx: unknown, interaction: { uid: string }) => `/login/${interaction.uid}` },
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => people.get(id) }),
    loadExistingGrant: async (ctx: { oidc: { session: { accountId: string }; client: { clientId: string } } }) => {
      const { session, client } = ctx.oidc;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/login/')) return handle(request, response);
    return provider.interactionFinished(request, response, { login: { accountId: next } });
  });
  const exchanged: string[] = [];
  provider.on('grant.success', () => exchanged.push('granted'));
  provider.on('grant.error', () => exchanged.push('refused'));
  const revoked: string[] = [];
  provider.on('access_token.destroyed', (token) => revoked.push(token.accountId));
  const stop = () => server.close().closeAllConnections();
  after(stop);

  /** All later logins are by this person. */
  function expect(person: Person): void {
    people.set(person.sub, person);
    next = person.sub;
  }

  /** Logs in with the provider as this person and returns the parameters of the redirect. */
  async function visit(url: string, person: Person): Promise<{ code: string; state: string; to: string }> {
    expect(person);
    const cookies = new Map<string, string>();
    for (let at = url; ; ) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const page = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const line of page.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        cookies.set(name!, value!);
      }
      const location = new URL(page.headers.get('location') ?? `${issuer}/none?body=${await page.text()}`, issuer);
      if (location.origin !== issuer) {
        const { code = '', state = '' } = Object.fromEntries(location.searchParams);
        return { code, state, to: `${location.origin}${location.pathname}` };
      }
      if (location.pathname === '/none') throw new Error(location.href);
      at = location.href;
    }
  }

  return { issuer, expect, visit, exchanged, revoked, stop };
}
