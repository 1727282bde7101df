import assert from 'node:assert/strict';
import test from 'node:test';
import pg from 'pg';
import { loadConfig } from '../../src/config.ts';
import { parseAddress } from '../../src/db/address.ts';
import { ReadOnlyServer, Route } from '../../src/db/route.ts';

const hostsOf = (url: string) =>
  parseAddress(url).ways.map(({ host, port, ssl }) => `${host}:${port}${ssl ? ' tls' : ''}`);

test('several hosts are tried in their order, each with TLS first', () => {
  assert.deepEqual(hostsOf('postgres://u@one:1,[::1]:2,three/db'), [
    ...['one:1 tls', 'one:1', '::1:2 tls', '::1:2', 'three:5432 tls', 'three:5432'],
  ]);
  assert.deepEqual(hostsOf('postgres:///db?host=one,two&port=7&sslmode=disable'), ['one:7', 'two:7']);
  assert.deepEqual(hostsOf('postgres://one/db?sslmode=allow'), ['one:5432', 'one:5432 tls']);
});

test('when all ways fail, what a server answered is told', async () => {
  const route = new Route(parseAddress('postgres://one,two/souk'));
  const errors = [
    new Error('The server does not support SSL connections'),
    new pg.DatabaseError('password authentication failed', 0, 'error'),
    new ReadOnlyServer(),
    new ReadOnlyServer(),
  ];
  const fail = async () => {
    const error = errors.shift()!;
    route.leave(route.way, error);
    throw error;
  };
  await assert.rejects(route.try(fail), /password/);
});

test('a socket of this machine needs no TLS', () => {
  assert.deepEqual(hostsOf('postgres://localhost:9/db?host=/run/pg&sslmode=require'), ['/run/pg:9']);
  assert.deepEqual(hostsOf('postgres://%2Frun%2Fpg/db'), ['/run/pg:5432']);
});

test('of several hosts one that takes writes is wanted, whatever the address leaves out', () => {
  assert.equal(parseAddress('postgres://one,two/db').needsReadWrite, true);
  assert.equal(parseAddress('postgres://one/db').needsReadWrite, false);
  assert.equal(parseAddress('postgres://one/db?target_session_attrs=read-write').needsReadWrite, true);
});

test('user, password and database may hold any character', () => {
  const { login } = parseAddress('postgres://a%40b:p%2F%3A@c:d@one/d%20b?application_name=x@y');
  assert.deepEqual(login, { user: 'a@b', password: 'p/:@c:d', database: 'd b', application_name: 'x@y' });
});

test('a wrong address is one line that names the setting, without the password', () => {
  const load = (url: string) => loadConfig({ DATABASE_URL: url, SECRET_KEY: 'x'.repeat(32) });
  for (const [url, words] of Object.entries({
    'mysql://one/db': /^DATABASE_URL must be an address that begins with postgres:\/\//,
    'postgres://u:secret@one:0/db': /^DATABASE_URL: The address has the port "0"\.$/,
    'postgres://u:secret@one/db?sslmode=full': /sslmode=full, which must be one of disable/,
    'postgres://u:secret@one/db?sslmod=verify-full': /unknown parameter sslmod/,
    'postgres://u:secret@one/db?sslmode=verify-ca': /verify-ca, which needs sslrootcert/,
    'postgres://u:secret@one/db?sslmode=require&sslrootcert=system': /needs sslmode=verify-full/,
    'postgres://u:secret@one/db?sslmode=verify-full&sslrootcert=/nowhere':
      /\/nowhere as sslrootcert, which cannot be read \(ENOENT\)/,
    'postgres://u:secret@one,two/db?target_session_attrs=standby': /the service writes: use read-write/,
    'postgres://u:sec%ret@one/db': /write it as %25/,
  })) {
    assert.throws(
      () => load(url),
      (error: Error) => words.test(error.message) && !error.message.includes('sec'),
      url,
    );
  }
  const direct = { DATABASE_DIRECT_URL: 'postgres://one/db', SECRET_KEY: 'x'.repeat(32) };
  assert.throws(() => loadConfig(direct), /DATABASE_DIRECT_URL needs DATABASE_URL/);
});
