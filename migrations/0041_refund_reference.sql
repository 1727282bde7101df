-- A refund names what was sold as its payment does: a purpose, and a reference that this purpose understands.
alter table refunds rename column order_id to reference;
alter index refunds_order rename to refunds_reference;
alter table refunds add column purpose text not null default 'ORDER';
update refunds r set purpose = p.purpose, reference = p.reference
  from payments p
  where r.reference is null and p.business_id = r.business_id and p.id = r.payment_id;
update refunds set reference = '' where reference is null;
alter table refunds alter column purpose drop default, alter column reference set not null;
