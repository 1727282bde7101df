-- Texts of emails that a business has changed. A reset sets them to null and keeps the row, so that its version never repeats.
create table mail_templates (
  business_id text not null,
  kind text not null,
  locale text not null,
  subject text,
  body text,
  version integer not null default 1,
  updated_at bigint not null,
  primary key (business_id, kind, locale)
);
