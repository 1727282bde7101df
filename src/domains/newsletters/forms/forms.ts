import type { Versioned } from '../../../context/index.ts';
import { type FieldError, invalid, notFound } from '../../../shared/errors.ts';
import { isId, newId, type PreviousIdentity } from '../../../shared/ids.ts';
import { type Page, pageLimit } from '../../../shared/paging.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { businessLanguage, getBusiness } from '../../businesses/index.ts';
import type { Collection } from '../../content/index.ts';
import type { Command, Query } from '../context.ts';
import { choosePlan, getNewsletter } from '../subscriptions/joining/subscribe.ts';
import { isPaid } from '../subscriptions/plans/plan-payments.ts';
import { tagsOf } from '../subscriptions/subscriber-name.ts';
import {
  deleteForm as deleteRow,
  type FormDoc,
  type FormRow,
  findForm,
  insertForm,
  listForms as listRows,
  lockForm,
  updateForm,
} from './queries.ts';
import {
  type FormQuery,
  formOf,
  type ListedSignupForm,
  type SignupForm,
  type SignupFormChange,
  type SignupFormInput,
} from './schemas.ts';

const EMPTY: FormDoc = {
  planId: null,
  heading: '',
  text: '',
  button: '',
  asksName: false,
  tags: [],
  fields: [],
  thanks: '',
  redirectUrl: null,
};

export const createForm = (ctx: Command, input: SignupFormInput): Promise<SignupForm> => addForm(ctx, input);

/** Creates a form with its original ID, so that websites that embed it only have to change the URL of the service. */
export async function importForm(
  ctx: Command,
  { input, kept }: { input: SignupFormInput; kept: PreviousIdentity },
): Promise<{ result: 'CREATED' | 'UNCHANGED'; id: string }> {
  const id = kept.id !== undefined && isId('form', kept.id) ? kept.id : newId('form');
  if (await findForm(ctx.db, ctx.businessId, id)) return { result: 'UNCHANGED', id };
  await addForm(ctx, input, { ...kept, id });
  return { result: 'CREATED', id };
}

async function addForm(ctx: Command, input: SignupFormInput, kept: PreviousIdentity = {}): Promise<SignupForm> {
  const { db: tx, businessId, now } = ctx;
  const { collectionId, name, ...settings } = input;
  const collection = await getNewsletter(tx, businessId, collectionId);
  const row: FormRow = {
    businessId,
    id: kept.id ?? newId('form'),
    collectionId: collection.id,
    name,
    doc: readDoc(ctx, collection, { ...EMPTY, ...settings }),
    version: 1,
    createdAt: kept.createdAt ?? now,
    updatedAt: kept.updatedAt ?? now,
  };
  await insertForm(tx, row);
  const data = await view(ctx, row);
  ctx.emit({ type: 'form.created', entity: `form:${row.id}`, data });
  return data;
}

export async function changeForm(
  ctx: Command,
  { id, change: { name, ...settings } }: { id: string; change: SignupFormChange },
): Promise<Versioned<SignupForm>> {
  const row = await lockForm(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Form');
  ctx.checkVersion(row.version);
  const collection = await getNewsletter(ctx.db, ctx.businessId, row.collectionId);
  const doc = readDoc(ctx, collection, { ...row.doc, ...settings });
  const changed = { ...row, name: name ?? row.name, doc, updatedAt: ctx.now };
  await updateForm(ctx.db, changed);
  const data = await view(ctx, changed);
  ctx.emit({ type: 'form.updated', entity: `form:${id}`, data, before: await view(ctx, row) });
  return { record: data, version: row.version + 1 };
}

export async function deleteForm(ctx: Command, id: string) {
  const row = await lockForm(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Form');
  ctx.checkVersion(row.version);
  await deleteRow(ctx.db, ctx.businessId, id);
  ctx.emit({ type: 'form.deleted', entity: `form:${id}`, data: await view(ctx, row) });
  return SUCCESS;
}

/** Throws 422 if the plan isn't free, or the page to open is not on an allowed origin. */
function readDoc({ origins, businessId }: Command, collection: Collection, doc: FormDoc): FormDoc {
  const errors: FieldError[] = [];
  const plan = doc.planId === null ? freePlan(collection) : choosePlan(collection, { planId: doc.planId }, errors);
  if (errors.length === 0 && (!plan || isPaid(plan))) {
    errors.push({ field: 'planId', error: 'INVALID_VALUE', message: 'planId must be a free plan of this newsletter.' });
  }
  const redirectUrl = doc.redirectUrl === null ? null : origins.linkBase(doc.redirectUrl, businessId);
  if (doc.redirectUrl !== null && redirectUrl === null) {
    const message = 'redirectUrl must be on an allowed origin.';
    errors.push({ field: 'redirectUrl', error: 'INVALID_REDIRECT_URI', message });
  }
  if (errors.length > 0) throw invalid(errors);
  return { ...doc, redirectUrl: redirectUrl?.href ?? null, tags: tagsOf(doc.tags), fields: [...new Set(doc.fields)] };
}

export const freePlan = ({ plans }: Collection) => plans.find((plan) => !isPaid(plan));

async function view(ctx: Query | Command, row: FormRow): Promise<SignupForm> {
  return formOf(row, ctx.publicUrl(), businessLanguage(await getBusiness(ctx, row.businessId)));
}

export async function readForm(ctx: Query, id: string): Promise<Versioned<SignupForm>> {
  const row = await findForm(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Form');
  return { record: await view(ctx, row), version: row.version };
}

/** Newest first. */
export async function listForms(ctx: Query, query: FormQuery): Promise<Page<ListedSignupForm>> {
  const { replica, businessId, cursors } = ctx;
  const limit = pageLimit(query.limit);
  const scope = `forms:${businessId}`;
  const [before] = cursors.decode(scope, query.cursor) ?? [null];
  const rows = await listRows(replica, businessId, before as string | null, limit + 1);
  const language = businessLanguage(await getBusiness(ctx, businessId));
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    (row) => ({ ...formOf(row, ctx.publicUrl(), language), etag: etagOf(row.version) }),
  );
}
