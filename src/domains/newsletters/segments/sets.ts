/**
 * Compiles a filter for a statement over the whole audience. Each condition is the set of emails that meet it, and sets are combined by
 * joins, so a table is read once per condition and not once per person. For a few people, `matches` is faster.
 */
import type { Db, Statement } from '../../../db/sql.ts';
import type { Condition, Filter } from './filter.ts';
import { compare, compareNumber, DAY_SECONDS, isPaid, matchesCustomer, matchesSubscription } from './match.ts';
import {
  amongSubscribers,
  isAmount,
  isPeopleFilter,
  isPositive,
  isUniqueSet,
  type Normal,
  negated,
  normalize,
  readsOneRow,
  splitAll,
  splitAny,
  splitDisjoint,
  type Table,
} from './normal.ts';

type Sql = Statement<object[]>;

/** The business and the time of a statement. `isSingle`: nobody has more than one subscription (`hasOneNewsletter`). */
export type Scope = { businessId: string; nowSeconds: number; isSingle: boolean };

type SubscriberScope = Scope & { collectionId: string };

/** An SQL condition on `people`, an alias of active subscriptions to a newsletter. */
export function isIn(db: Db, people: string, filter: Filter, scope: SubscriberScope): Sql {
  return holds(db, people, normalizeFor(filter, scope), scope, true);
}

/** Whether the condition of `isIn` reads only the row of the subscription. */
export const readsSubscriptionOnly = (
  filter: Filter,
  scope: Omit<SubscriberScope, 'businessId' | 'nowSeconds'>,
): boolean => readsOneRow(normalizeFor(filter, scope));

const normalizeFor = (filter: Filter, { collectionId, isSingle }: Omit<SubscriberScope, 'businessId' | 'nowSeconds'>) =>
  normalize(amongSubscribers(filter, collectionId), isSingle);

/** An SQL expression for the number of people who match the filter. */
export function countOf(db: Db, filter: Filter, scope: Scope): Sql {
  const normal = normalize(filter, scope.isSingle);
  // A negative filter is counted as everyone minus its negation.
  return isPositive(normal)
    ? countParts(db, normal, scope)
    : db`${countEveryone(db, scope)} - (${countParts(db, negated(normal), scope)})`;
}

const countParts = (db: Db, filter: Normal, scope: Scope): Sql =>
  splitDisjoint(filter)
    .map((each) => countSet(db, each, scope))
    .reduce((sum, each) => db`${sum} + ${each}`);

/** A full join reads both tables once, in the order of the index on the email if that is faster than hashing. */
const countEveryone = (db: Db, { businessId, isSingle }: Scope): Sql => db`(
  select count(*) from (
    select f.email_key from subscriptions f where f.business_id = ${businessId} ${isSingle ? db`` : db`group by f.email_key`}
  ) s full join (
    select f.email_key from customers f where f.business_id = ${businessId} and f.email_key is not null
  ) c on c.email_key = s.email_key)`;

function countSet(db: Db, filter: Normal, scope: Scope): Sql {
  const { first, rest } = splitAny(filter);
  if (!first) return count(db, peopleIn(db, rest, scope));
  const { emails, isUnique } = peopleIn(db, rest, scope);
  // Neither side contains a person twice.
  return db`(
    select count(*) from (${setOf(db, first, scope)}) a
    full join (select x.email_key from (${emails}) x ${isUnique ? db`` : db`group by x.email_key`}) b on b.email_key = a.email_key)`;
}

const count = (db: Db, { emails, isUnique }: People): Sql => db`(
  select count(*) from (select 1 from (${emails}) x ${isUnique ? db`` : db`group by x.email_key`}) x)`;

/** A query for emails. `isUnique`: no email is repeated. */
type People = { emails: Sql; isUnique: boolean };

/** The set of a positive filter, without people who only have orders. */
function peopleIn(db: Db, filter: Normal, scope: Scope): People {
  const isUnique = isUniqueSet(splitAll('all' in filter ? filter.all : [filter]).first);
  if (isPeopleFilter(filter)) return { emails: setOf(db, filter, scope), isUnique };
  if ('any' in filter)
    return {
      emails: union(
        db,
        filter.any.map((each) => peopleIn(db, each, scope).emails),
      ),
      isUnique: false,
    };
  // Most people have a customer record. Subscriptions of the others are looked up one by one.
  const emails = db`
    select x.email_key from (select email_key from (${setOf(db, filter, scope)}) x ${isUnique ? db`` : db`group by email_key`}) x
    left join customers c on c.business_id = ${scope.businessId} and c.email_key = x.email_key
    where c.email_key is not null or (
      select true from subscriptions s where s.business_id = ${scope.businessId} and s.email_key = x.email_key limit 1)`;
  return { emails, isUnique: true };
}

const union = (db: Db, sets: readonly Sql[]): Sql =>
  sets.reduce(
    (all, set) => db`${all} union all select email_key from (${set}) x`,
    db`select null::text as email_key where false`,
  );

/** An SQL condition on `people`. `isSubscription`: it is an alias of subscriptions. */
function holds(db: Db, people: string, filter: Normal, scope: Scope, isSubscription = false): Sql {
  if ('all' in filter) {
    return joined(
      db,
      filter.all.map((each) => holds(db, people, each, scope, isSubscription)),
    );
  }
  const leaf = 'not' in filter ? filter.not : filter;
  if ('row' in leaf && leaf.of === 'subscriptions' && isSubscription) {
    const isMet = db`(${matchesRow(db, people, leaf.of, leaf.row, scope)})`;
    // A row without a value does not meet a condition.
    return 'not' in filter ? db`${isMet} is not true` : isMet;
  }
  if ('not' in filter) return db`not ${holds(db, people, filter.not, scope)}`;
  const email = db`${db(people)}.email_key`;
  if ('field' in filter && filter.field === 'subscriber.email') return compare(db, email, filter, scope.nowSeconds);
  const isOf = (set: Normal) => db`exists (select from (${setOf(db, set, scope)}) m where m.email_key = ${email})`;
  // With `or`, PostgreSQL could not join the sets.
  return isPositive(filter) ? isOf(filter) : db`not ${isOf(negated(filter))}`;
}

/** An SQL condition on one row. */
function matchesRow(db: Db, row: string, of: Table, filter: Filter, scope: Scope): Sql {
  const within = (each: Filter) => db`(${matchesRow(db, row, of, each, scope)})`;
  if ('all' in filter) return joined(db, filter.all.map(within));
  if ('any' in filter) return filter.any.map(within).reduce((any, part) => db`${any} or ${part}`);
  if ('not' in filter) return db`${within(filter.not)} is not true`;
  const { nowSeconds } = scope;
  return of === 'customers'
    ? matchesCustomer(db, filter, nowSeconds)
    : matchesSubscription(db, row, filter, nowSeconds);
}

const joined = (db: Db, parts: readonly Sql[]): Sql => parts.reduce((all, part) => db`${all} and ${part}`, db`true`);

/** A query for the emails that match a positive filter. Emails can be repeated, and can belong to people who only have orders. */
function setOf(db: Db, filter: Normal, scope: Scope): Sql {
  if ('any' in filter)
    return union(
      db,
      filter.any.map((each) => setOf(db, each, scope)),
    );
  if ('all' in filter) {
    const { first, rest } = splitAll(filter.all);
    const conditions = joined(
      db,
      rest.map((each) => holds(db, 'x', each, scope)),
    );
    return db`select x.email_key from (${setOf(db, first, scope)}) x where ${conditions}`;
  }
  if ('not' in filter) throw new Error('A negated condition is not a set');
  const { businessId, nowSeconds } = scope;
  if ('row' in filter) {
    return db`
      select f.email_key from ${db(filter.of)} f
      where f.business_id = ${businessId} and f.email_key is not null and (${matchesRow(db, 'f', filter.of, filter.row, scope)})`;
  }
  if ('rows' in filter) {
    const conditions = filter.rows.map((each) => db`bool_or(${matchesSubscription(db, 'f', each, nowSeconds)})`);
    return db`
      select f.email_key from subscriptions f where f.business_id = ${businessId}
      group by f.email_key having ${joined(db, conditions)}`;
  }
  if (filter.field === 'subscriber.email') {
    const isSame = compare(db, db`f.email_key`, filter, nowSeconds);
    return db`
      select f.email_key from subscriptions f where f.business_id = ${businessId} and ${isSame}
      union all select f.email_key from customers f where f.business_id = ${businessId} and ${isSame}`;
  }
  if (filter.field.startsWith('subscriber.')) {
    return db`
      select f.email_key from subscriptions f
      where f.business_id = ${businessId} and ${matchesSubscription(db, 'f', filter, nowSeconds)}`;
  }
  if (isAmount(filter)) return amounts(db, filter, scope);
  return orders(db, filter, scope);
}

/** The indexes `orders_people` and `orders_bought` cover these queries. */
const paidOrders = (db: Db, { businessId }: Scope) => db`
  o.business_id = ${businessId} and o.customer_email is not null and ${isPaid(db)}`;

function amounts(db: Db, condition: Condition, scope: Scope): Sql {
  const amount = condition.field === 'customer.orders' ? db`count(*)` : db`sum(o.paid - o.refunded)`;
  const isAny = condition.field === 'customer.orders' && condition.op === 'atLeast' && condition.value === 1;
  return db`
    select o.customer_email as email_key from orders o where ${paidOrders(db, scope)}
    group by o.customer_email ${isAny ? db`` : db`having ${compareNumber(db, amount, condition)}`}`;
}

function orders(db: Db, condition: Condition, scope: Scope): Sql {
  const { field, days } = condition;
  const { businessId, nowSeconds } = scope;
  if (field === 'order.placedAt') {
    return db`
      select o.customer_email as email_key from orders o
      where ${paidOrders(db, scope)} and ${compare(db, db`o.created_at`, condition, nowSeconds)}`;
  }
  const since = days === undefined ? db`` : db`and o.created_at >= ${nowSeconds - days * DAY_SECONDS}::bigint`;
  const from = db`from orders o where ${paidOrders(db, scope)} ${since}`;
  if (field === 'order.product') {
    const bought = (products: Sql) => db`${products} ?| ${idsOf(condition)}::text[]`;
    return db`
      select o.customer_email as email_key ${from} and ${bought(db`o.bought`)}
      union all select o.customer_email ${from} and ${isLarge(db)} and ${bought(boughtIn(db))}`;
  }
  // PostgreSQL evaluates this subquery once, and looks up IDs in a JSON object by binary search.
  const products = db`(
    select jsonb_object_agg(f.id, 1) from products f
    where f.business_id = ${businessId} and ${compare(db, db`lower(f.category)`, condition, nowSeconds)})`;
  const first = [0, 1, 2, 3].map((i) => db`${products} ? (o.bought ->> ${i}::int)`);
  // Reading the first four products is faster than unnesting the list. Orders with more are in the index `orders_bought_large`.
  return db`
    select o.customer_email as email_key ${from} and (${first.reduce((any, each) => db`${any} or ${each}`)})
    union all select o.customer_email ${from} and ${isLarge(db)}
      and exists (select from jsonb_array_elements_text(${boughtIn(db)}) l (id) where ${products} ? l.id)`;
}

/** The IDs as entered and in lower case, because generated IDs are in lower case. */
const idsOf = ({ value }: Condition) => [value].flat().flatMap((id) => [String(id), String(id).toLowerCase()]);

/** At least five products, or too many for the column. Matches the index `orders_bought_large`. */
const isLarge = (db: Db) => db`least(jsonb_array_length(o.bought), 5) = 5`;

/** The products of a large order. */
const boughtIn = (db: Db) => db`jsonb_path_query_array(o.doc, '$.lines[*].productId')`;
