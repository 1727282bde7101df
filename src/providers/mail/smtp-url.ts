import { domainToASCII } from 'node:url';

type Option = string | number | boolean;

export type SmtpServer = {
  host?: string;
  port?: number;
  /** TLS from the start; otherwise STARTTLS if the server offers it. */
  secure: boolean;
  auth?: { user: string; pass: string };
  tls?: Record<string, Option>;
  /** Further nodemailer options, such as `name` or `requireTLS`. */
  [option: string]: unknown;
};

/**
 * Parses SMTP_URL to nodemailer options: `smtp(s)://user:password@host:port?name=…&tls.rejectUnauthorized=false`. Pooled
 * and newsletter connections use the same options. Query parameters can't override the rest of the URL.
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

/**
 * `URL` does not normalize the host of an smtp URL, so we handle IPv6 brackets and internationalized names ourselves.
 */
function hostOf({ hostname }: URL): string {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  const host = domainToASCII(decode(hostname));
  if (!host) throw new Error('SMTP_URL has an invalid host. Check the part after the @.');
  return host;
}

/** A password with an unencoded percent sign is used as is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
