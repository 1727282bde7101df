import type { Db, Tx } from '../../../db/sql.ts';

export type FormDoc = {
  planId: string | null;
  heading: string;
  text: string;
  button: string;
  asksName: boolean;
  tags: readonly string[];
  /** Names of additional fields in the form. */
  fields: readonly string[];
  thanks: string;
  redirectUrl: string | null;
};

export type FormRow = {
  businessId: string;
  id: string;
  collectionId: string;
  name: string;
  doc: FormDoc;
  version: number;
  createdAt: number;
  updatedAt: number;
};

export async function insertForm(tx: Tx, row: FormRow): Promise<void> {
  await tx`insert into signup_forms ${tx({ ...row, doc: tx.json(row.doc as never) })}`;
}

export async function updateForm(tx: Tx, { businessId, id, name, doc, updatedAt }: FormRow): Promise<void> {
  await tx`
    update signup_forms set name = ${name}, doc = ${tx.json(doc as never)}, version = version + 1, updated_at = ${updatedAt}
    where business_id = ${businessId} and id = ${id}`;
}

export async function deleteForm(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from signup_forms where business_id = ${businessId} and id = ${id}`;
}

export async function findForm(db: Db, businessId: string, id: string): Promise<FormRow | null> {
  const [row] = await db<FormRow[]>`select * from signup_forms where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function lockForm(tx: Tx, businessId: string, id: string): Promise<FormRow | null> {
  const [row] = await tx<FormRow[]>`
    select * from signup_forms where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** Newest first. */
export const listForms = (db: Db, businessId: string, before: string | null, limit: number) => db<FormRow[]>`
  select * from signup_forms where business_id = ${businessId} ${before === null ? db`` : db`and id < ${before}`}
  order by id desc limit ${limit}`;

/** Sorted by ID, starting after the given ID. */
export const listFormsForExport = (db: Db, businessId: string, after: string, limit: number) => db<FormRow[]>`
  select f.* from signup_forms f
  where f.business_id = ${businessId} and f.id > ${after}
    and exists (select from collections c where c.business_id = f.business_id and c.id = f.collection_id and c.deleted_at is null)
  order by f.id limit ${limit}`;
