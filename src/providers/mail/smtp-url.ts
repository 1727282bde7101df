import { domainToASCII } from 'node:url';

type Option = string | number | boolean;

export type SmtpServer = {
  host?: string;
  port?: number;
  /** TLS from the first byte; otherwise STARTTLS where the server offers it. */
  secure: boolean;
  auth?: { user: string; pass: string };
  tls?: Record<string, Option>;
  /** Further options of nodemailer, such as `name` or `requireTLS`. */
  [option: string]: unknown;
};

/**
 * What SMTP_URL says, in the options of nodemailer: `smtp(s)://user:password@host:port?name=…&tls.rejectUnauthorized=false`.
 * Every connection is made from these, so that pooled ones and those of a newsletter cannot differ. What is in front of the
 * question mark cannot be overridden behind it.
 */
export function readSmtpUrl(text: string): SmtpServer {
  const url = new URL(text.trim().replace(/^(smtps?:)(?!\/\/)/i, '$1//'));
  const options: [string, Option][] = [];
  const tls: [string, Option][] = [];
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('tls.')) tls.push([name.slice(4), optionOf(value)]);
    else if (!name.includes('.')) options.push([name, optionOf(value)]);
  }
  return {
    ...Object.fromEntries(options),
    ...(tls.length > 0 && { tls: Object.fromEntries(tls) }),
    secure: url.protocol === 'smtps:',
    ...(url.hostname && { host: hostOf(url) }),
    ...(Number(url.port) > 0 && { port: Number(url.port) }),
    ...((url.username || url.password) && { auth: { user: decode(url.username), pass: decode(url.password) } }),
  };
}

function optionOf(value: string): Option {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^\d+$/.test(value) ? Number(value) : value;
}

/** URL leaves the host of an smtp address as it was written: the brackets of IPv6 and letters outside of ASCII are ours to resolve. */
function hostOf({ hostname }: URL): string {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  const host = domainToASCII(decode(hostname));
  if (!host) throw new Error('SMTP_URL names a host that cannot exist. Check what stands behind the @.');
  return host;
}

/** A password with a percent sign that was not encoded is taken as it is written. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
