import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { loadConfig, SETTINGS, SettingError, settingsHelp } from '../../src/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'souk-config-'));
after(() => rmSync(folder, { recursive: true }));
const load = (env: Record<string, string>) => loadConfig({ DATA_DIR: join(folder, 'data'), ...env });

test('the defaults match the help text', () => {
  const config = load({});
  assert.equal(config.port, 3000);
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.database, null);
  assert.equal(config.demo, true);
  assert.equal(config.checkoutTtlSeconds, 1800);
  assert.equal(config.workers, 1);
  assert.equal(load({ DATABASE_URL: 'postgres://db/souk' }).demo, false);
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.limits));
  for (const { name } of SETTINGS) assert.match(settingsHelp(), new RegExp(`^  ${name} `, 'm'));
});

test('in development, webhooks and media by URL reach loopback by default; OUTBOUND_ALLOW replaces the default', () => {
  const allowed = (env: Record<string, string>) => load(env).outboundAllow.map(([address]) => address.toString());
  assert.deepEqual(allowed({}), ['127.0.0.0', '::1']);
  assert.deepEqual(allowed({ OUTBOUND_ALLOW: '' }), []);
  assert.deepEqual(allowed({ OUTBOUND_ALLOW: '10.1.0.0/16' }), ['10.1.0.0']);
});

test('an invalid setting is reported in one line with its name', () => {
  writeFileSync(join(folder, 'file'), '');
  const wrong: Record<string, string[]> = {
    PORT: ['-1', '65536', 'http', '1.5', '0x'],
    PUBLIC_URL: ['localhost', 'ftp://x', 'javascript:alert(1)'],
    DATABASE_URL: ['mysql://x', 'db', 'localhost:5432'],
    DATABASE_POOL: ['0', 'many'],
    SECRET_KEY: ['short'],
    SMTP_URL: ['http://mail', 'mail.example'],
    STORAGE_URL: [
      'http://s3',
      's3://host/bucket',
      's3://K:S@host',
      's3://K%:S@host/bucket',
      'file:///a%2Fb',
      's3://K:S@h/bucket?a%0Ab=1',
    ],
    MAIL_FROM: ['nobody', 'A <a@b>\r\nBcc: c@d', '<a@b', 'a@b@c'],
    SMS_URL: ['sms:1', 'x'],
    ALLOWED_ORIGINS: ['shop.example', 'https://shop.example/path', 'https://a.example,*', 'https://u@a.example'],
    AI_BASE_URL: ['x'],
    CHECKOUT_TTL: ['0', '-5', 'day'],
    CASH_TTL: ['-1', 'week'],
    PAYMENT_SANDBOX: ['yes'],
    WORKERS: ['0', 'all', '65'],
    TRUST_PROXY: ['yes', '-1'],
    DEMO: ['yes', '2'],
    LOG_LEVEL: ['loud'],
    LIMIT_ADDRESS: ['0', 'x'],
    LIMIT_SMS: ['5', '5/0'],
    LIMIT_CHECKOUT: ['600', '0/5', '5/x', '1/2/3'],
    MAIL_RATE: ['0', 'fast'],
    DATA_DIR: [join(folder, 'file')],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      assert.throws(
        () => load({ [name]: value }),
        (error: Error) => {
          assert.ok(error instanceof SettingError, `${name}=${value}: ${error}`);
          assert.match(error.message, new RegExp(`^${name} [^\n]+\\.$`));
          return true;
        },
        `${name}=${value}`,
      );
    }
  }
});

test('settings that require another setting report its name', () => {
  assert.throws(() => load({ NODE_ENV: 'production' }), {
    message: 'SECRET_KEY is required when NODE_ENV=production.',
  });
  assert.throws(() => load({ OAUTH_IDP_ISSUER: 'https://idp' }), /OAUTH_IDP_CLIENT_ID is required/);
  assert.throws(() => load({ AI_BASE_URL: 'https://ai' }), /AI_MODEL is required/);
});

test('an unknown parameter of STORAGE_URL is rejected, and the known ones are listed', () => {
  assert.throws(() => load({ STORAGE_URL: 's3://K:S@host/bucket?ssl=true' }), {
    message: 'STORAGE_URL has an unknown parameter: "ssl". Allowed parameters: region, scheme, publicUrl.',
  });
  assert.throws(() => load({ STORAGE_URL: 'file:///media?region=eu' }), {
    message: 'STORAGE_URL has an unknown parameter: "region". Allowed parameters: publicUrl.',
  });
});

test('a secret key is generated once, readable by the owner only, and kept', () => {
  const dataDir = join(folder, 'made');
  const { secretKey } = load({ DATA_DIR: dataDir });
  assert.ok(secretKey.length >= 32);
  assert.equal(load({ DATA_DIR: dataDir }).secretKey, secretKey);
  assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600);
  writeFileSync(join(dataDir, 'secret.key'), '');
  assert.throws(() => load({ DATA_DIR: dataDir }), /SECRET_KEY is not set, and the key stored in .* is damaged/);
  assert.deepEqual(readdirSync(dataDir), ['secret.key']);
});

test('lists and URLs are normalized', () => {
  const config = load({
    ALLOWED_ORIGINS: ' https://Shop.example/ , http://localhost:5173',
    PUBLIC_URL: 'https://api.example/',
  });
  assert.deepEqual(config.allowedOrigins, ['https://shop.example', 'http://localhost:5173']);
  assert.equal(config.publicUrl, 'https://api.example');
  assert.ok(load({ WORKERS: 'auto' }).workers >= 1);
});
