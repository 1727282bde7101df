/**
 * Parses a connection URL the way libpq does: several hosts, `target_session_attrs`, and all TLS modes. The driver
 * supports only one host and interprets some TLS modes differently.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import tls from 'node:tls';
import type pg from 'pg';

/** A host to try, with or without TLS. */
export type Endpoint = { host: string; port: number; ssl: false | tls.ConnectionOptions };

export type Address = {
  endpoints: Endpoint[];
  login: Pick<pg.ClientConfig, 'user' | 'password' | 'database' | 'options' | 'application_name'>;
  /** Whether read-only servers, such as standbys, are skipped. */
  needsReadWrite: boolean;
  connectTimeoutMs: number | null;
};

const FORM = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'sslnegotiation', 'sslsni'];
/** Throws a one-line error that does not contain the password. */
export function parseAddress(url: string): Address {
  const [, login = '', authority = '', database = '', query = ''] =
    FORM.exec(url) ?? refuse('is not a postgres:// URL');
  const parameters = new Map(new URLSearchParams(query));
  const read = (name: string) => parameters.get(name) || undefined;
  for (const name of parameters.keys()) {
    if (name.startsWith('ssl') && name !== 'ssl' && !TLS_PARAMETERS.includes(name))
      refuse(`has an unknown parameter: ${name}`);
  }
  const [user = '', password = ''] = splitOnce(login, ':').map(decode);
  const endpoints = hostsOf(authority, read).flatMap((host) => endpointsOf(host, read));
  return {
    endpoints,
    login: compact({
      user: read('user') ?? user,
      password: read('password') ?? password,
      database: decode(database),
      options: read('options'),
      application_name: read('application_name'),
    }),
    needsReadWrite: needsReadWrite(read('target_session_attrs'), endpoints),
    connectTimeoutMs: read('connect_timeout') ? secondsOf(read('connect_timeout')!) * 1000 : null,
  };
}

type Read = (name: string) => string | undefined;
type Host = { host: string; port: number; address: string | undefined };

function hostsOf(authority: string, read: Read): Host[] {
  const listed = authority.split(',').map((part) => {
    const [, bracketed, plain = '', port = ''] =
      /^(?:\[([^\]]+)\]|([^:]*))(?::(\d*))?$/.exec(part) ?? refuse(`has an invalid host: "${part}"`);
    return { host: bracketed ?? decode(plain), port };
  });
  const hosts = read('host')?.split(',') ?? listed.map(({ host }) => host);
  const ports = read('port')?.split(',') ?? listed.map(({ port }) => port);
  const addresses = read('hostaddr')?.split(',');
  if (ports.length > 1 && ports.length !== hosts.length) refuse('must have a single port or one port per host');
  return hosts.map((host, i) => ({
    host: host || 'localhost',
    port: portOf(ports[i] ?? ports[0]!),
    address: addresses?.[i],
  }));
}

function portOf(text: string): number {
  const port = text === '' ? 5432 : Number(text);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : refuse(`has an invalid port: "${text}"`);
}

/** Returns the endpoints in the order to try. Unix sockets need no TLS. */
function endpointsOf({ host, port, address }: Host, read: Read): Endpoint[] {
  const plain: Endpoint = { host: address ?? host, port, ssl: false };
  const mode = modeOf(read);
  if (host.startsWith('/') || mode === 'disable') return [plain];
  const ssl = tlsOptions(mode, read);
  // Certificates are checked against `host`, even if the connection goes to `hostaddr`.
  const secure: Endpoint = { ...plain, ssl: address && isIP(host) === 0 ? { ...ssl, servername: host } : ssl };
  if (mode === 'prefer') return [secure, plain];
  return mode === 'allow' ? [plain, secure] : [secure];
}

function modeOf(read: Read): string {
  const usual = read('ssl') === 'true' || read('ssl') === '1' ? 'require' : 'prefer';
  const mode = read('sslmode') ?? (read('sslrootcert') === 'system' ? 'verify-full' : usual);
  if (!MODES.includes(mode)) refuse(`has sslmode=${mode}, which must be one of ${MODES.join(', ')}`);
  if (read('sslrootcert') === 'system' && mode !== 'verify-full')
    refuse('has sslrootcert=system, which requires sslmode=verify-full');
  return mode;
}

function tlsOptions(mode: string, read: Read): tls.ConnectionOptions {
  const root = read('sslrootcert');
  if (mode === 'verify-ca' && !root) refuse('has sslmode=verify-ca, which requires sslrootcert');
  // As in libpq, a root certificate makes `require` verify like `verify-ca`.
  const isChecked = mode.startsWith('verify') || (mode === 'require' && root !== undefined);
  return {
    rejectUnauthorized: isChecked,
    ...(isChecked ? { ca: root === undefined || root === 'system' ? systemRoots() : fileOf('sslrootcert', root) } : {}),
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
    ...(read('sslcert') ? { cert: fileOf('sslcert', read('sslcert')!) } : {}),
    ...(read('sslkey') ? { key: fileOf('sslkey', read('sslkey')!) } : {}),
    ...(read('sslpassword') ? { passphrase: read('sslpassword')! } : {}),
  };
}

/** Node.js before 22.15 can't read the system's certificates and uses its bundled ones. */
function systemRoots(): string[] {
  const { getCACertificates } = tls as { getCACertificates?: (which: 'system') => string[] };
  return getCACertificates?.('system') ?? [...tls.rootCertificates];
}

function fileOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return refuse(`has ${name}=${path}, which can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The service writes, so with several hosts it uses only a writable one, unless the URL allows any. */
function needsReadWrite(requested: string | undefined, endpoints: Endpoint[]): boolean {
  const isSeveral = new Set(endpoints.map(({ host, port }) => `${host}:${port}`)).size > 1;
  const value = requested ?? (isSeveral ? 'read-write' : 'any');
  if (!['any', 'read-write', 'primary'].includes(value)) {
    refuse(`has target_session_attrs=${value}; use read-write, because the service needs write access`);
  }
  return value !== 'any';
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  return Number.isInteger(seconds) && seconds > 0 && seconds <= 60
    ? seconds
    : refuse('has an invalid connect_timeout; it must be 1 to 60 seconds');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('has a % that is not followed by two hexadecimal digits; encode it as %25');
  }
}

const splitOnce = (text: string, mark: string): string[] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

const compact = <T extends object>(all: T) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== '')) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };

function refuse(what: string): never {
  throw new Error(`The URL ${what}.`);
}
