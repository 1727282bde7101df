/** Compiles the filter of a segment to SQL. All values are parameters. */
import type { Db, Statement } from '../../../db/sql.ts';
import { type Condition, type Filter, ownFieldOf } from './filter.ts';

type Sql = Statement<object[]>;

export const DAY_SECONDS = 86_400;

/** An SQL condition on `people`, an alias with `business_id` and `email_key`. */
export function matches(db: Db, people: string, filter: Filter, nowSeconds: number): Sql {
  if ('not' in filter) return db`not (${matches(db, people, filter.not, nowSeconds)})`;
  if ('all' in filter) return join(db, filter.all, 'and', people, nowSeconds);
  if ('any' in filter) return join(db, filter.any, 'or', people, nowSeconds);
  if (filter.op === 'isNot') return db`not (${conditionOf(db, people, { ...filter, op: 'is' }, nowSeconds)})`;
  return conditionOf(db, people, filter, nowSeconds);
}

function join(db: Db, filters: Filter[], word: 'and' | 'or', people: string, nowSeconds: number): Sql {
  const parts = filters.map((each) => db`(${matches(db, people, each, nowSeconds)})`);
  return parts.reduce((joined, part) => (word === 'and' ? db`${joined} and ${part}` : db`${joined} or ${part}`));
}

function conditionOf(db: Db, people: string, condition: Condition, nowSeconds: number): Sql {
  const { field } = condition;
  if (field === 'subscriber.email') return compare(db, db`${db(people)}.email_key`, condition, nowSeconds);
  if (field.startsWith('subscriber.')) return isSubscriber(db, people, condition, nowSeconds);
  if (field === 'customer.orders' || field === 'customer.spent') return hasBought(db, people, condition);
  return field.startsWith('customer.')
    ? isCustomer(db, people, condition, nowSeconds)
    : hasOrdered(db, people, condition, nowSeconds);
}

const isSubscriber = (db: Db, people: string, condition: Condition, nowSeconds: number): Sql => db`exists (
  select 1 from subscriptions f
  where f.business_id = ${db(people)}.business_id and f.email_key = ${db(people)}.email_key
    and ${matchesSubscription(db, 'f', condition, nowSeconds)})`;

/** An SQL condition on `row`, an alias of subscriptions. Conditions on newsletter and plan require an active subscription. */
export function matchesSubscription(db: Db, row: string, condition: Condition, nowSeconds: number): Sql {
  if (condition.field === 'subscriber.referrals') return compareNumber(db, db`${db(row)}.referrals`, condition);
  if (condition.field === 'subscriber.tag') {
    // Includes the predicate of the partial index on tags.
    return db`${db(row)}.tags && ${textsOf(condition)}::text[] and ${db(row)}.tags <> '{}'`;
  }
  const own = ownFieldOf(condition.field);
  const at = db`${db(row)}`;
  const expression = own === null ? SUBSCRIBER[condition.field]!(db, at) : db`lower(${at}.fields ->> ${own}::text)`;
  const isActive = condition.field === 'subscriber.newsletter' || condition.field === 'subscriber.plan';
  return db`${isActive ? db`${at}.status = 'ACTIVE' and ` : db``}${compare(db, expression, condition, nowSeconds)}`;
}

const SUBSCRIBER: Readonly<Record<string, (db: Db, at: Sql) => Sql>> = {
  'subscriber.name': (db, at) => db`lower(${at}.name)`,
  'subscriber.newsletter': (db, at) => db`${at}.collection_id`,
  'subscriber.plan': (db, at) => db`${at}.plan_id`,
  'subscriber.status': (db, at) => db`lower(${at}.status)`,
  'subscriber.joinedAt': (db, at) => db`${at}.created_at`,
};

const isCustomer = (db: Db, people: string, condition: Condition, nowSeconds: number): Sql => db`exists (
  select 1 from customers f
  where f.business_id = ${db(people)}.business_id and f.email_key = ${db(people)}.email_key
    and ${matchesCustomer(db, condition, nowSeconds)})`;

/** An SQL condition on `f`, an alias of customers. */
export function matchesCustomer(db: Db, condition: Condition, nowSeconds: number): Sql {
  if (condition.field === 'customer.country') return db`f.countries ?| ${textsOf(condition)}::text[]`;
  if (condition.field === 'customer.tag') {
    return db`array(select lower(tag) from unnest(f.tags) tag) && ${textsOf(condition)}::text[]`;
  }
  return compare(db, CUSTOMER[condition.field]!(db), condition, nowSeconds);
}

/** The values of a condition, in lower case. */
const textsOf = ({ value }: Condition) => [value].flat().map((each) => String(each).toLowerCase());

const CUSTOMER: Readonly<Record<string, (db: Db) => Sql>> = {
  'customer.name': (db) => db`lower(f.name)`,
  'customer.createdAt': (db) => db`f.created_at`,
};

export const isPaid = (db: Db) => db`o.payment_status in ('PAID', 'PARTIALLY_REFUNDED')`;

/** Paid orders, only from the last `days` if given. */
function hasOrdered(db: Db, people: string, condition: Condition, nowSeconds: number): Sql {
  const { field, days } = condition;
  const since = field !== 'order.placedAt' && days !== undefined ? nowSeconds - days * DAY_SECONDS : null;
  return db`exists (
    select 1 from orders o
    where o.business_id = ${db(people)}.business_id and o.customer_email = ${db(people)}.email_key and ${isPaid(db)}
      ${since === null ? db`` : db`and o.created_at >= ${since}`} and ${ORDER[field]!(db, condition, nowSeconds)})`;
}

const ORDER: Readonly<Record<string, (db: Db, condition: Condition, nowSeconds: number) => Sql>> = {
  'order.placedAt': (db, condition, now) => compare(db, db`o.created_at`, condition, now),
  'order.product': (db, condition, now) => db`exists (
    select 1 from jsonb_array_elements(o.doc -> 'lines') l where ${compare(db, db`lower(l ->> 'productId')`, condition, now)})`,
  'order.category': (db, condition, now) => db`exists (
    select 1 from products f
    where f.business_id = o.business_id and ${compare(db, db`lower(f.category)`, condition, now)}
      and f.id = any(array(select l ->> 'productId' from jsonb_array_elements(o.doc -> 'lines') l)))`,
};

/** The number of paid orders, or the amount paid for them minus refunds. */
function hasBought(db: Db, people: string, condition: Condition): Sql {
  const amount = condition.field === 'customer.orders' ? db`count(o.id)` : db`coalesce(sum(o.paid - o.refunded), 0)`;
  const sum = db`(
    select ${amount} from orders o
    where o.business_id = ${db(people)}.business_id and o.customer_email = ${db(people)}.email_key and ${isPaid(db)})`;
  return compareNumber(db, sum, condition);
}

export function compareNumber(db: Db, expression: Sql, { op, value }: Condition): Sql {
  const amount = db`${value as number}::bigint`;
  if (op === 'atLeast') return db`${expression} >= ${amount}`;
  return op === 'atMost' ? db`${expression} <= ${amount}` : db`${expression} = ${amount}`;
}

/** Strings are compared in lower case. */
export function compare(db: Db, expression: Sql, { field, op, value, days }: Condition, nowSeconds: number): Sql {
  const at = days === undefined ? (value as number) : nowSeconds - days * DAY_SECONDS;
  if (op === 'before') return db`${expression} < ${at}::bigint`;
  if (op === 'after') return db`${expression} >= ${at}::bigint`;
  const isExact = field === 'subscriber.newsletter' || field === 'subscriber.plan';
  const text = (each: unknown) => (isExact ? String(each) : String(each).toLowerCase());
  if (op === 'contains') return db`strpos(${expression}, ${text(value)}::text) > 0`;
  // One array parameter instead of up to 100: the largest filter has thousands of values.
  return op === 'in'
    ? db`${expression} = any(${(value as readonly string[]).map(text)}::text[])`
    : db`${expression} = ${text(value)}::text`;
}
