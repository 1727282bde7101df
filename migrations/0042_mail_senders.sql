-- The own email address of a business, and the key that signs its email.
create table mail_senders (
  business_id text primary key,
  address text not null,
  domain text not null,
  selector text not null,
  public_key text not null,
  -- Encrypted.
  private_key text not null,
  -- The TXT records that the last check found, by purpose. Null where the name servers did not respond.
  found jsonb not null default '{}',
  checked_at bigint,
  -- Null until the records that prove the domain are found.
  proved_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
