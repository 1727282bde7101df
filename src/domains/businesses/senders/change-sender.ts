import { domainToASCII } from 'node:url';
import { consumeLimit } from '../../../db/limits.ts';
import { invalidField, notFound } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { businessSubject, type Command, command, type Query, type Steps } from '../context.ts';
import { hasRequiredRecords, lacksRequiredRecord } from './dns-records.ts';
import { deleteSender, findSender, type SenderRow, updateChecked, upsertSender } from './queries.ts';
import type { Sender } from './schemas.ts';

/** Each check looks up a handful of names, and each address may need a key. */
const LIMIT = { name: 'mail-sender', max: 30, windowSeconds: 300 };

export async function readSender(ctx: Query): Promise<Sender> {
  return viewSender(ctx, await findSender(ctx.db, ctx.businessId));
}

/**
 * Sets the sender address, or removes it. Emails are sent from it once its domain is verified. An address that is sent back unchanged
 * stays verified.
 */
export const saveSender = command({
  async prepare(ctx: Steps, { address }: { address: string | null }): Promise<SenderRow | null> {
    if (address === null) return null;
    const place = readAddress(address);
    await consumeLimit(ctx, LIMIT, ctx.businessId);
    return composeSender(ctx, place);
  },
  async execute(ctx: Command, row) {
    const stored = await findSender(ctx.db, ctx.businessId);
    if (stored?.address === row?.address) return viewSender(ctx, stored);
    if (row) await upsertSender(ctx.db, row);
    else await deleteSender(ctx.db, ctx.businessId);
    return emitSender(ctx, 'business.sender_updated');
  },
});

/** An export has no private key, so an imported address gets a new one. It needs its DNS records before it is used. */
export const prepareSender = async (ctx: Steps, { address }: { address: string }): Promise<SenderRow> =>
  (await findSender(ctx.db, ctx.businessId)) ?? composeSender(ctx, readAddress(address));

/** A business that already has a sender address keeps it. */
export async function importSender(ctx: Command, row: SenderRow): Promise<'CREATED' | 'UNCHANGED'> {
  if (await findSender(ctx.db, ctx.businessId)) return 'UNCHANGED';
  await upsertSender(ctx.db, row);
  await emitSender(ctx, 'business.sender_updated');
  return 'CREATED';
}

type Place = { address: string; domain: string };

function readAddress(sent: string): Place {
  const at = sent.lastIndexOf('@');
  const domain = domainToASCII(sent.slice(at + 1)).toLowerCase();
  const address = `${sent.slice(0, at)}@${domain}`;
  if (!/^[\x21-\x7e]+$/.test(address) || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) {
    throw invalidField(
      'address',
      'INVALID_VALUE',
      'address must be an email address at a domain you own, without special characters.',
    );
  }
  return { address, domain };
}

async function composeSender(ctx: Steps, { address, domain }: Place): Promise<SenderRow> {
  const { businessId, businesses, db, now } = ctx;
  const stored = await findSender(db, businessId);
  const key = stored?.domain === domain ? stored : await businesses.senders.createKey(businessId, domain);
  const { selector, publicKey, privateKey } = key;
  const times = { checkedAt: null, provedAt: null, createdAt: now, updatedAt: now };
  return { businessId, address, domain, selector, publicKey, privateKey, found: {}, ...times };
}

/** Looks up the DNS records. A verified address is dropped only if a required record is definitely gone. */
export async function lookUpSender({ businesses, now }: Steps, row: SenderRow): Promise<SenderRow> {
  const checked = { ...row, found: await businesses.senders.lookUp(row), checkedAt: now };
  const records = businesses.senders.recordsOf(checked);
  const provedAt = hasRequiredRecords(records)
    ? (row.provedAt ?? now)
    : lacksRequiredRecord(records)
      ? null
      : row.provedAt;
  return { ...checked, provedAt };
}

export const checkSender = command({
  async prepare(ctx: Steps): Promise<SenderRow> {
    const row = await findSender(ctx.db, ctx.businessId);
    if (!row) throw notFound('Sender');
    await consumeLimit(ctx, LIMIT, ctx.businessId);
    return lookUpSender(ctx, row);
  },
  async execute(ctx: Command, row) {
    await updateChecked(ctx.db, row);
    return emitSender(ctx, 'business.sender_checked');
  },
});

/** Emails come from the address of the service again. */
export async function removeSender(ctx: Command): Promise<typeof SUCCESS> {
  if (!(await deleteSender(ctx.db, ctx.businessId))) throw notFound('Sender');
  await emitSender(ctx, 'business.sender_updated');
  return SUCCESS;
}

type SenderEvent = 'business.sender_updated' | 'business.sender_checked';

export async function emitSender(ctx: Command, type: SenderEvent): Promise<Sender> {
  const { db: tx, businessId } = ctx;
  const sender = viewSender(ctx, await findSender(tx, businessId));
  await ctx.publish(businessSubject(businessId));
  const { address, domain, isVerified } = sender;
  ctx.emit({ type, entity: `business:${businessId}`, data: { id: businessId, address, domain, isVerified } });
  return sender;
}

function viewSender({ businesses: { senders } }: Query | Command, row: SenderRow | null): Sender {
  const from = senders.serviceAddress;
  if (!row) return { address: null, domain: null, isVerified: false, from, checkedAt: null, records: [] };
  const { address, domain, checkedAt } = row;
  const isVerified = row.provedAt !== null;
  return { address, domain, isVerified, from: isVerified ? address : from, checkedAt, records: senders.recordsOf(row) };
}
