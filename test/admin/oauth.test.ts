import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test from 'node:test';
import { CLIENT, startIdp } from '../accounts/oauth/idp.ts';
import { startShop } from '../client/shop.ts';
import { skip } from '../pages/browser.ts';
import { openAdmin } from './browser.ts';

/** The provider needs the redirect URL before the service starts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('members log in to the admin through the OpenID Connect provider', {
  skip,
  timeout: 120_000,
}, async () => {
  const port = await freePort();
  const idp = await startIdp([`http://127.0.0.1:${port}/admin/login/callback`]);
  const shop = await startShop({
    PORT: String(port),
    OAUTH_IDP_ISSUER: idp.issuer,
    OAUTH_IDP_CLIENT_ID: CLIENT.id,
    OAUTH_IDP_CLIENT_SECRET: CLIENT.secret,
    OAUTH_IDP_NAME: 'Acme',
  });
  idp.expect({ sub: 'ada', email: 'admin@example.com', email_verified: true, name: 'Ada' });
  const page = await openAdmin(shop, '');
  await page.getByRole('button', { name: 'Log in with Acme' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.reload();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});
