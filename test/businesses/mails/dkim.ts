/** Verifies the DKIM signature of a message (RFC 6376, relaxed/relaxed, rsa-sha256). */
import { createHash, createPublicKey, verify } from 'node:crypto';

const tagsOf = (text: string) =>
  new Map(
    text.split(';').map((part) => {
      const at = part.indexOf('=');
      return [part.slice(0, at).trim(), part.slice(at + 1).replaceAll(/\s/g, '')] as const;
    }),
  );

const relaxed = (header: string) => {
  const [, name, value] = /^([^:]+):([\s\S]*)$/.exec(header)!;
  return `${name!.toLowerCase().trim()}:${value!.replaceAll(/\s+/g, ' ').trim()}`;
};

/** `find` returns the TXT record of a name. Null if the message is not signed or the signature is invalid. */
export function verifyDkim(raw: Buffer, find: (name: string) => string | undefined) {
  const message = raw.toString('latin1');
  const end = message.indexOf('\r\n\r\n');
  const headers = message.slice(0, end).split(/\r\n(?![ \t])/);
  const at = headers.findIndex((header) => /^dkim-signature:/i.test(header));
  if (at < 0) return null;
  const tags = tagsOf(headers[at]!.replace(/^[^:]*:/, ''));
  const body = message
    .slice(end + 4)
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ \r\n/g, '\r\n')
    .replace(/(\r\n)*$/, '\r\n');
  if (createHash('sha256').update(body, 'latin1').digest('base64') !== tags.get('bh')) return null;
  const names = tags.get('h')!.toLowerCase().split(':');
  const signed = names.flatMap((name) =>
    headers.filter((header) => relaxed(header).startsWith(`${name}:`)).map(relaxed),
  );
  const own = relaxed(headers[at]!.replace(/\bb=[^;]*$/, 'b='));
  const key = tagsOf(find(`${tags.get('s')}._domainkey.${tags.get('d')}`) ?? '').get('p') ?? '';
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  const data = Buffer.from([...signed, own].join('\r\n'), 'latin1');
  const isValid = verify('sha256', data, publicKey, Buffer.from(tags.get('b')!, 'base64'));
  return isValid ? { domain: tags.get('d')!, names } : null;
}
