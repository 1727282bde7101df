/** Settings with several values, and settings that need validation. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAddress } from '../db/address.ts';
import { type Network, parseNetwork } from '../providers/outbound/addresses.ts';
import type { StorageSettings } from '../providers/storage/port.ts';
import { withoutEnd } from '../shared/text/text.ts';
import type { TracingSettings } from '../tracing/index.ts';
import { type Readers, SettingError } from './read.ts';

export type OAuthSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  name: string;
  trustEmail: boolean;
};
export type AiSettings = { baseUrl: string; apiKey: string | null; model: string };

/** `directUrl`: set if `url` points to a pooler in transaction mode. `replicaUrl`: null without a read replica. */
export type DatabaseSettings = Readonly<{
  url: string;
  directUrl: string | null;
  replicaUrl: string | null;
  prepares: boolean;
}>;

/** Null for the embedded database. */
export function database({ read, choice }: Readers): DatabaseSettings | null {
  const [url, directUrl = null, replicaUrl = null] = [
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'DATABASE_REPLICA_URL',
  ].map((name) => databaseUrl(name, read(name)));
  const prepares = choice('DATABASE_PREPARE', 'on', ['on', 'off']) === 'on';
  if (!url && directUrl) throw new SettingError('DATABASE_DIRECT_URL requires DATABASE_URL, the URL of the pooler.');
  if (!url && replicaUrl) throw new SettingError('DATABASE_REPLICA_URL requires DATABASE_URL, the URL of the primary.');
  if (replicaUrl && parseAddress(replicaUrl).needsReadWrite) {
    throw new SettingError('DATABASE_REPLICA_URL must name one server, without target_session_attrs.');
  }
  return url ? { url, directUrl, replicaUrl, prepares } : null;
}

function databaseUrl(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new SettingError(`${name} must be a URL that starts with postgres:// or postgresql://.`);
  }
  try {
    parseAddress(text);
  } catch (error) {
    throw new SettingError(`${name}: ${(error as Error).message}`);
  }
  return text;
}

export function origin(text: string): string {
  const parsed = URL.parse(text);
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || parsed.pathname !== '/' || parsed.username) {
    throw new SettingError(
      `ALLOWED_ORIGINS must be a comma-separated list of origins, for example https://shop.example, not "${text}".`,
    );
  }
  return parsed.origin;
}

export function mailFrom(text: string): string {
  if (/[\r\n]/.test(text) || !/^[^<>]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/.test(text)) {
    throw new SettingError('MAIL_FROM must be an email address, for example Shop <hello@shop.example>.');
  }
  return text;
}

export function bounceDomain(domain: string | undefined, port: number): { domain: string; port: number } | null {
  if (!domain) return null;
  if (!/^([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(domain)) {
    throw new SettingError('BOUNCE_DOMAIN must be a host name, for example bounces.shop.example.');
  }
  return { domain: domain.toLowerCase(), port };
}

export function oauth({ read, url, choice }: Readers): OAuthSettings | null {
  const issuer = url('OAUTH_IDP_ISSUER', ['https:', 'http:']);
  const trustEmail = choice('OAUTH_IDP_TRUST_EMAIL', '0', ['0', '1']) === '1';
  if (issuer === null) return null;
  const clientId = read('OAUTH_IDP_CLIENT_ID');
  if (!clientId) throw new SettingError('OAUTH_IDP_CLIENT_ID is required with OAUTH_IDP_ISSUER.');
  return {
    issuer,
    clientId,
    clientSecret: read('OAUTH_IDP_CLIENT_SECRET') ?? null,
    name: read('OAUTH_IDP_NAME') ?? 'OAUTH_IDP',
    trustEmail,
  };
}

export function ai({ read, url }: Readers): AiSettings | null {
  const baseUrl = url('AI_BASE_URL', ['http:', 'https:']);
  if (baseUrl === null) return null;
  const model = read('AI_MODEL');
  if (!model) throw new SettingError('AI_MODEL is required with AI_BASE_URL.');
  return { baseUrl: withoutEnd(baseUrl, '/'), apiKey: read('AI_API_KEY') ?? null, model };
}

export function networks(texts: readonly string[]): Network[] {
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (!network)
      throw new SettingError(
        `OUTBOUND_ALLOW must be a comma-separated list of networks, for example 10.1.0.0/16, not "${text}".`,
      );
    return network;
  });
}

export function storage(text: string | null, dataDir: string): StorageSettings {
  if (text === null) return { type: 'disk', folder: join(dataDir, 'media'), publicUrl: null };
  const parsed = new URL(text);
  const known = parsed.protocol === 'file:' ? ['publicUrl'] : ['region', 'scheme', 'publicUrl'];
  for (const name of parsed.searchParams.keys()) {
    if (known.includes(name)) continue;
    throw new SettingError(
      `STORAGE_URL has an unknown parameter: ${JSON.stringify(name)}. Allowed parameters: ${known.join(', ')}.`,
    );
  }
  const publicUrl = withoutEnd(parsed.searchParams.get('publicUrl') ?? '', '/') || null;
  if (publicUrl !== null && !/^https?:\/\/./.test(publicUrl)) {
    throw new SettingError('STORAGE_URL: publicUrl must start with http:// or https://.');
  }
  if (parsed.protocol === 'file:') {
    if (parsed.host !== '')
      throw new SettingError('STORAGE_URL must have the form file:///folder, with three slashes.');
    parsed.search = '';
    return { type: 'disk', folder: decoded(() => fileURLToPath(parsed)), publicUrl };
  }
  const bucket = parsed.pathname.replace(/^\/|\/$/g, '');
  const scheme = parsed.searchParams.get('scheme') ?? 'https';
  const [key, secret] = [parsed.username, parsed.password].map((text) => decoded(() => decodeURIComponent(text)));
  if (!key || !secret) throw new SettingError('STORAGE_URL must have KEY:SECRET@ before the host.');
  if (!/^[a-z0-9][a-z0-9.-]{1,62}$/.test(bucket)) throw new SettingError('STORAGE_URL must end with /bucket.');
  if (scheme !== 'http' && scheme !== 'https') throw new SettingError('STORAGE_URL: scheme must be http or https.');
  const region = parsed.searchParams.get('region') ?? 'us-east-1';
  return { type: 's3', endpoint: `${scheme}://${parsed.host}`, bucket, region, key, secret, publicUrl };
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new SettingError('STORAGE_URL contains invalid percent-encoding or an encoded slash.');
  }
}

/** Uses OpenTelemetry's standard variable names. */
export function tracing({ read, url, list }: Readers): TracingSettings | null {
  const endpoint = url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  const ratio = Number(read('OTEL_TRACES_SAMPLER_ARG') ?? 1);
  if (!(ratio >= 0 && ratio <= 1)) throw new SettingError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  const headers = (list('OTEL_EXPORTER_OTLP_HEADERS') ?? []).map((text) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+)=(.*)$/.exec(text) ?? [];
    if (name === undefined)
      throw new SettingError('OTEL_EXPORTER_OTLP_HEADERS must be a comma-separated list of name=value pairs.');
    return [name, value!] as const;
  });
  if (endpoint === null) return null;
  return {
    endpoint: withoutEnd(endpoint, '/'),
    headers: Object.fromEntries(headers),
    serviceName: read('OTEL_SERVICE_NAME') ?? 'souk',
    ratio,
  };
}

export function cdnPurge(url: string | null, secret: string | null): { url: string; secret: string | null } | null {
  if (url === null) return null;
  if (secret !== null && !/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) {
    throw new SettingError('CDN_PURGE_SECRET must be whsec_ followed by at least 24 random bytes in Base64.');
  }
  return { url, secret };
}
