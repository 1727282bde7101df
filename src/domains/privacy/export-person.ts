/** Exports the personal data of a person as one JSON document, streamed page by page to keep memory use constant. */
import type { PersonalDataHolder } from '../../context/personal-data.ts';
import { consumeLimit } from '../../db/limits.ts';
import { serializerOf } from '../../shared/records/serializer.ts';
import { ExportedAccount, exportAccount } from '../accounts/index.ts';
import { findBusinessById, listBusinessIds, requireStepUp } from '../businesses/index.ts';
import { AccountEvent, readAccountAudit } from '../events/index.ts';
import type { Steps } from './context.ts';
import { findSubject, type Subject } from './subject.ts';

const BUSINESSES = 200;
/** Exports are expensive. */
const LIMIT = { name: 'export', max: 20, windowSeconds: 3600 };

type Holder = PersonalDataHolder;

const serializeAccount = serializerOf<ExportedAccount>(ExportedAccount);
const serializeEvent = serializerOf<AccountEvent>(AccountEvent);

/** Exports the caller's own data from all businesses. */
export async function exportOwnData(ctx: Steps): Promise<AsyncGenerator<string>> {
  await consumeLimit(ctx, LIMIT, ctx.caller.userId);
  const { userId, email, isConfirmed } = ctx.caller;
  const person: Subject = { userId, emails: email && isConfirmed ? [email.toLowerCase()] : [] };
  return writeAccount(ctx, serializeAccount(await exportAccount(ctx)), person);
}

/** Exports the data that one business holds. */
export async function exportCustomerData(ctx: Steps, id: string): Promise<AsyncGenerator<string>> {
  await requireStepUp(ctx, ctx.businessId);
  const person = await findSubject(ctx, id);
  await consumeLimit(ctx, LIMIT, `${ctx.businessId} ${ctx.caller.userId}`);
  return writeBusiness(ctx, person);
}

async function* writeAccount(ctx: Steps, account: string, person: Subject): AsyncGenerator<string> {
  yield `{"exportedAt":${ctx.now},"account":${account},"events":[`;
  let separator = '';
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await readAccountAudit(ctx, { limit: 100, cursor });
    for (const event of page.items) {
      yield separator + serializeEvent(event);
      separator = ',';
    }
    cursor = page.cursor;
  }
  yield '],"businesses":[';
  separator = '';
  for await (const businessId of affectedBusinesses(ctx, person)) {
    yield separator;
    yield* writeBusiness(ctx.within(businessId), person);
    separator = ',';
  }
  yield ']}';
}

async function* affectedBusinesses(ctx: Steps, person: Subject): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const page = await listBusinessIds(ctx.db, after, BUSINESSES);
    const found = new Set<string>();
    for (const { businessesOf } of ctx.privacy.holders) {
      for (const id of await businessesOf(ctx.db, page, person)) found.add(id);
    }
    yield* page.filter((id) => found.has(id));
    if (page.length < BUSINESSES) return;
    after = page.at(-1)!;
  }
}

async function* writeBusiness(ctx: Steps, person: Subject): AsyncGenerator<string> {
  const business = await findBusinessById(ctx, ctx.businessId);
  yield `{"business":${JSON.stringify({ id: ctx.businessId, name: business?.name ?? '' })}`;
  for (const holder of ctx.privacy.holders) {
    yield `,${JSON.stringify(holder.name)}:[`;
    yield* writeHolder(ctx, holder, person);
    yield ']';
  }
  yield '}';
}

async function* writeHolder(ctx: Steps, { list, record }: Holder, person: Subject): AsyncGenerator<string> {
  const serialize = serializerOf<object>(record);
  let separator = '';
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<Holder['list']>> = await list(ctx, person, after);
    for (const item of page.items) {
      yield separator + serialize(item);
      separator = ',';
    }
    if (page.next === null) return;
    after = page.next;
  }
}
