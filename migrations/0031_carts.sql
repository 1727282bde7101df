-- Carts of storefronts. Prices are not stored: they are computed whenever a cart is read. Deleted when they expire.
create table carts (
  business_id text not null,
  id text not null,
  -- The user whose token created the cart, or who took it over at login.
  owner_id text not null,
  -- SHA-256 of the secret that gives others access, such as a browser before and after login.
  secret_hash text not null,
  email text,
  doc jsonb not null,
  -- The order placed with the cart. Null while the cart is open.
  order_id text,
  -- When the reminder is due. Null if the customer wants none or got it.
  reminder_at bigint,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  primary key (business_id, id)
) with (fillfactor = 80);
create index carts_owner on carts (business_id, owner_id, updated_at);
create index carts_email on carts (business_id, email) where email is not null;
create index carts_open on carts (business_id, updated_at, id) where order_id is null;
create index carts_reminder_at on carts (reminder_at) where reminder_at is not null;
create index carts_expires_at on carts (expires_at);

-- Mailboxes that want no cart reminders from a business. Hashed, so that the choice outlives the address.
create table reminder_opt_outs (
  business_id text not null,
  mailbox_hash text not null,
  created_at bigint not null,
  primary key (business_id, mailbox_hash)
);
