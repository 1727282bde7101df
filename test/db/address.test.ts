import assert from 'node:assert/strict';
import test from 'node:test';
import pg from 'pg';
import { loadConfig } from '../../src/config.ts';
import { parseAddress } from '../../src/db/address.ts';
import { ReadOnlyServer, Route } from '../../src/db/route.ts';

const hostsOf = (url: string) =>
  parseAddress(url).endpoints.map(({ host, port, ssl }) => `${host}:${port}${ssl ? ' tls' : ''}`);

test('several hosts are tried in order, each with TLS first', () => {
  assert.deepEqual(hostsOf('postgres://u@one:1,[::1]:2,three/db'), [
    ...['one:1 tls', 'one:1', '::1:2 tls', '::1:2', 'three:5432 tls', 'three:5432'],
  ]);
  assert.deepEqual(hostsOf('postgres:///db?host=one,two&port=7&sslmode=disable'), ['one:7', 'two:7']);
  assert.deepEqual(hostsOf('postgres://one/db?sslmode=allow'), ['one:5432', 'one:5432 tls']);
});

test('when all endpoints fail, an error from a server takes precedence', async () => {
  const route = new Route(parseAddress('postgres://one,two/souk'));
  const errors = [
    new Error('The server does not support SSL connections'),
    new pg.DatabaseError('password authentication failed', 0, 'error'),
    new ReadOnlyServer(),
    new ReadOnlyServer(),
  ];
  const fail = async () => {
    const error = errors.shift()!;
    route.leave(route.endpoint, error);
    throw error;
  };
  await assert.rejects(route.try(fail), /password/);
});

test('a local socket needs no TLS', () => {
  assert.deepEqual(hostsOf('postgres://localhost:9/db?host=/run/pg&sslmode=require'), ['/run/pg:9']);
  assert.deepEqual(hostsOf('postgres://%2Frun%2Fpg/db'), ['/run/pg:5432']);
});

test('with several hosts, a writable one is required by default', () => {
  assert.equal(parseAddress('postgres://one,two/db').needsReadWrite, true);
  assert.equal(parseAddress('postgres://one/db').needsReadWrite, false);
  assert.equal(parseAddress('postgres://one/db?target_session_attrs=read-write').needsReadWrite, true);
});

test('user, password and database can contain any character', () => {
  const { login } = parseAddress('postgres://a%40b:p%2F%3A@c:d@one/d%20b?application_name=x@y');
  assert.deepEqual(login, { user: 'a@b', password: 'p/:@c:d', database: 'd b', application_name: 'x@y' });
});

test('an invalid URL causes a one-line error with the setting name and without the password', () => {
  const load = (url: string) => loadConfig({ DATABASE_URL: url, SECRET_KEY: 'x'.repeat(32) });
  for (const [url, words] of Object.entries({
    'mysql://one/db': /^DATABASE_URL must be a URL that starts with postgres:\/\//,
    'postgres://u:secret@one:0/db': /^DATABASE_URL: The URL has an invalid port: "0"\.$/,
    'postgres://u:secret@one/db?sslmode=full': /sslmode=full, which must be one of disable/,
    'postgres://u:secret@one/db?sslmod=verify-full': /unknown parameter: sslmod/,
    'postgres://u:secret@one/db?sslmode=verify-ca': /verify-ca, which requires sslrootcert/,
    'postgres://u:secret@one/db?sslmode=require&sslrootcert=system': /requires sslmode=verify-full/,
    'postgres://u:secret@one/db?sslmode=verify-full&sslrootcert=/nowhere':
      /sslrootcert=\/nowhere, which can't be read \(ENOENT\)/,
    'postgres://u:secret@one,two/db?target_session_attrs=standby':
      /use read-write, because the service needs write access/,
    'postgres://u:sec%ret@one/db': /encode it as %25/,
  })) {
    assert.throws(
      () => load(url),
      (error: Error) => words.test(error.message) && !error.message.includes('sec'),
      url,
    );
  }
  const direct = { DATABASE_DIRECT_URL: 'postgres://one/db', SECRET_KEY: 'x'.repeat(32) };
  assert.throws(() => loadConfig(direct), /DATABASE_DIRECT_URL requires DATABASE_URL/);
  const replica = { DATABASE_REPLICA_URL: 'postgres://one/db', SECRET_KEY: 'x'.repeat(32) };
  assert.throws(() => loadConfig(replica), /DATABASE_REPLICA_URL requires DATABASE_URL/);
  const several = { DATABASE_URL: 'postgres://one/db', SECRET_KEY: 'x'.repeat(32) };
  for (const url of ['postgres://one,two/db', 'postgres://two/db?target_session_attrs=read-write'])
    assert.throws(
      () => loadConfig({ ...several, DATABASE_REPLICA_URL: url }),
      /DATABASE_REPLICA_URL must name one server/,
    );
});
