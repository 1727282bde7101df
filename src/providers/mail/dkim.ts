import { buffer } from 'node:stream/consumers';
// A public export of nodemailer.
import DKIM from 'nodemailer/lib/dkim';
import type { OwnSender } from './port.ts';

/** Mail clients honor one-click unsubscribe only if both of its headers are signed (RFC 8058). */
const SIGNED =
  'from:reply-to:subject:date:message-id:to:mime-version:content-type:content-transfer-encoding:list-id:list-unsubscribe:list-unsubscribe-post';

export const dkimOptions = ({ dkim: { domain, selector, privateKey } }: OwnSender) => ({
  domainName: domain,
  keySelector: selector,
  privateKey,
  headerFieldNames: SIGNED,
});

export function createSign(own: OwnSender): (message: Buffer) => Promise<Buffer> {
  const dkim = new DKIM(dkimOptions(own));
  return (message) => buffer(dkim.sign(message));
}
