-- A flow is found by its state or by the nonce of the ID token; nothing secret is kept of it. Flows that are open now are begun again.
delete from oauth_flows;
alter table oauth_flows
  drop column sealed,
  add column nonce_hash bytea not null constraint oauth_flows_nonce unique;

-- Where logins of a site have come back to: for clients that say neither state nor redirect address.
create table oauth_redirects (
  origin text not null,
  redirect_url text not null,
  last_used_at bigint not null,
  primary key (origin, redirect_url)
);
