-- Host names that serve the storefront of a business. A host has one owner, so the table belongs to no business.
-- `proved_at`: when its owner showed control of the host by a DNS record or by the word of the operator.
create table storefront_hosts (
  host text primary key,
  owner_id text not null,
  proved_at bigint not null
);
create index storefront_hosts_owner on storefront_hosts (owner_id);
