/** TLS as in libpq, against a real PostgreSQL server. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { openClient } from '../../src/db/client.ts';
import { isConnectionLost } from '../../src/db/errors.ts';
import { createAuthority, hasOpenssl } from '../servers/certificates.ts';
import { createPostgres, type Server } from '../servers/postgres.ts';

const options = { skip: hasOpenssl ? false : 'openssl is required to create certificates' };

let authority: ReturnType<typeof createAuthority>;
let stranger: ReturnType<typeof createAuthority>;
let named: Server;
let numbered: Server;
let plain: Server;

const HBA = `
hostssl all certified 127.0.0.1/32 cert
hostssl all postgres 127.0.0.1/32 trust
hostssl all postgres ::1/128 trust
`;

async function startWithTls(names: string): Promise<Server> {
  const server = await createPostgres({ hba: HBA });
  const issued = authority.issue('db', names);
  const files = {
    ssl_cert_file: await server.addFile('server.crt', issued.certText),
    ssl_key_file: await server.addFile('server.key', issued.keyText),
    ssl_ca_file: await server.addFile('root.crt', authority.text()),
  };
  await server.start({ ssl: 'on', ...files });
  return server;
}

before(async () => {
  if (!hasOpenssl) return;
  authority = createAuthority('Ours');
  stranger = createAuthority('Stranger');
  plain = await createPostgres();
  [named, numbered] = await Promise.all([startWithTls('DNS:localhost'), startWithTls('IP:127.0.0.1'), plain.start()]);
  const admin = await openClient({ url: named.url() }, 'test');
  await admin.query('create role certified login');
  await admin.end();
});
after(async () => {
  await Promise.all([named, numbered, plain].map((server) => server?.remove()));
  authority?.remove();
  stranger?.remove();
});

/** Whether a connection with this URL is encrypted. */
async function isSecure(url: string): Promise<boolean> {
  const client = await openClient({ url }, 'test');
  const { rows } = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  await client.end();
  return rows[0].ssl;
}

const OTHER_NAME = (error: { cause?: unknown; code?: string }) =>
  error.code === '08001' && (error.cause as { code: string }).code === 'ERR_TLS_CERT_ALTNAME_INVALID';

const address = (server: Server, host: string, parameters: Record<string, string>, role = 'postgres') =>
  `postgres://${role}@${host}:${server.port}/postgres?${new URLSearchParams(parameters)}`;

test(
  'over TLS, a connection that waits too long for a response is closed, but an idle connection is not',
  options,
  async () => {
    const url = address(named, 'localhost', { sslmode: 'require' });
    const [idle, waiting] = await Promise.all([openClient({ url }, 'test'), openClient({ url }, 'test')]);
    for (const client of [idle, waiting]) client.silenceMs = 100;
    await assert.rejects(waiting.query('select pg_sleep(60)'), isConnectionLost);
    assert.equal((await idle.query('select 1')).rowCount, 1);
    await idle.end();
  },
);

test('verify-full checks the authority and the name', options, async () => {
  const full = { sslmode: 'verify-full', sslrootcert: authority.file };
  assert.ok(await isSecure(address(named, 'localhost', full)));
  await assert.rejects(
    isSecure(address(named, 'localhost', { ...full, sslrootcert: stranger.file })),
    /self-signed|issuer/,
  );
  await assert.rejects(isSecure(address(named, 'localhost', { sslrootcert: 'system' })), /self-signed|issuer/);
  await assert.rejects(isSecure(address(named, 'localhost', { sslmode: 'verify-full' })), /self-signed|issuer/);
});

test('verify-full checks an IP address too', options, async () => {
  const full = { sslmode: 'verify-full', sslrootcert: authority.file };
  assert.ok(await isSecure(address(numbered, '127.0.0.1', full)));
  await assert.rejects(isSecure(address(named, '127.0.0.1', full)), OTHER_NAME);
  await assert.rejects(isSecure(address(numbered, 'localhost', full)), OTHER_NAME);
});

test('with hostaddr, the certificate is checked against host', options, async () => {
  const full = { sslmode: 'verify-full', sslrootcert: authority.file, hostaddr: '127.0.0.1' };
  assert.ok(await isSecure(address(named, 'localhost', full)));
  await assert.rejects(isSecure(address(named, 'db.example', full)), OTHER_NAME);
});

test('verify-ca, and require with a root certificate, check only the authority', options, async () => {
  for (const sslmode of ['verify-ca', 'require']) {
    assert.ok(await isSecure(address(named, '127.0.0.1', { sslmode, sslrootcert: authority.file })));
    await assert.rejects(
      isSecure(address(named, '127.0.0.1', { sslmode, sslrootcert: stranger.file })),
      /self-signed|issuer/,
    );
  }
});

test('require accepts any certificate and never a plain connection', options, async () => {
  assert.ok(await isSecure(address(named, '127.0.0.1', { sslmode: 'require' })));
  await assert.rejects(isSecure(address(plain, '127.0.0.1', { sslmode: 'require' })), /does not support SSL/);
});

test('without a mode, TLS is used if the server supports it', options, async () => {
  assert.equal(await isSecure(address(named, '127.0.0.1', {})), true);
  assert.equal(await isSecure(address(plain, '127.0.0.1', {})), false);
  await assert.rejects(isSecure(address(named, '127.0.0.1', { sslmode: 'disable' })), /no encryption/);
});

test('a client certificate is accepted for login', options, async () => {
  const { cert, key } = authority.issue('certified');
  const own = { sslmode: 'require', sslcert: cert, sslkey: key };
  assert.ok(await isSecure(address(named, '127.0.0.1', own, 'certified')));
  await assert.rejects(isSecure(address(named, '127.0.0.1', { sslmode: 'require' }, 'certified')), /certificate/);
});
