-- What must follow a write is found from a row of the business itself, which says when it is due, and not from a queue. 0: at
-- once; so whatever is open while this column is added, and whatever an older process still writes, is looked at and then says
-- itself when it is due again.
alter table payments add column due_at bigint not null default 0;
create index payments_due on payments (due_at) where status = 'OPEN';

alter table refunds add column due_at bigint not null default 0;
create index refunds_due on refunds (due_at) where status = 'PENDING';

-- What is still to be done for an order: a mail to its customer, or its end when nobody has paid. Deleted with its effect.
create table order_tasks (
  business_id text not null,
  id bigint generated always as identity,
  order_id text not null,
  -- A kind of mail, or EXPIRY.
  kind text not null,
  -- Of a refund.
  amount bigint,
  due_at bigint not null,
  primary key (business_id, id)
);
create index order_tasks_due on order_tasks (due_at);

-- What waits in the queue so far.
do $$
begin
  if to_regclass('jobs.job') is null then
    return;
  end if;
  insert into order_tasks (business_id, order_id, kind, amount, due_at)
  select data ->> 'businessId', data ->> 'orderId', coalesce(data ->> 'kind', 'EXPIRY'), (data ->> 'amount')::bigint,
    extract(epoch from start_after)::bigint
  from jobs.job where name in ('order-mail', 'order-expiry') and state < 'completed';
  delete from jobs.job where name in ('order-mail', 'order-expiry', 'payment-watch', 'payment-refund') and state < 'completed';
end $$;
