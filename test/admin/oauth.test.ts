import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test from 'node:test';
import { createClient } from '../../client/src/index.ts';
import { CLIENT, startIdp } from '../accounts/oauth/idp.ts';
import { startDns } from '../accounts/sso/dns.ts';
import { startShop } from '../client/shop.ts';
import { skip } from '../pages/browser.ts';
import { checkPage, openAdmin } from './browser.ts';

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

test('a member logs in with the business’s single sign-on, and the account page shows what the session can do', {
  skip,
  timeout: 180_000,
}, async () => {
  const [port, dns] = [await freePort(), await startDns()];
  const idp = await startIdp([`http://127.0.0.1:${port}/admin/login/sso/biz_demo`]);
  const shop = await startShop({ PORT: String(port), DNS_SERVERS: dns.server });
  const { businessId, url, apiKey } = shop;
  const { roles, singleSignOn } = createClient({ baseUrl: url, businessId, apiKey });
  const admin = (await roles.list().take(100)).find(({ permissions }) => permissions.includes('ADMIN'))!;
  const { domains } = await singleSignOn.saveSso({
    issuer: idp.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    domains: ['acme.example'],
    roleMappings: [{ value: 'bosses', roleId: admin.id }],
  });
  dns.records.set(domains[0]!.recordName, domains[0]!.recordValue);
  await singleSignOn.verifySsoDomains();

  idp.expect({ sub: 'ada', email: 'ada@acme.example', email_verified: true, name: 'Ada', groups: ['bosses'] });
  const page = await openAdmin(shop, '/sso', { locale: 'en-US', colorScheme: 'dark' });
  await page.getByLabel('Email').fill('ada@acme.example');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.goto(`${url}/admin/account`);
  await page.getByText('Logged in with single sign-on').waitFor();
  await page.getByText('ada@acme.example').first().waitFor();
  await checkPage(page, 'the account in a session from single sign-on');
  // This session can't open pages of the account itself.
  await page.goto(`${url}/admin/account/keys`);
  await page.getByText('Logged in with single sign-on').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
});
