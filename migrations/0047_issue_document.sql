-- Numbers and inserts a document in one statement. The rest of the transaction reads the number from the setting
-- `souk.document_number`. The counter of the series stays locked until the commit, so that numbers have no gaps.
create function issue_document(
  in_business text, in_id text, in_order text, in_type text, in_series text, in_refund text,
  in_issued_at bigint, in_currency text, in_total bigint, in_snapshot jsonb
) returns bigint language plpgsql volatile as $$
declare
  number bigint;
begin
  insert into document_counters as c (business_id, series, last) values (in_business, in_series, 1)
  on conflict (business_id, series) do update set last = c.last + 1
  returning c.last into number;
  insert into documents
    (business_id, id, order_id, type, series, sequence, refund_id, issued_at, currency, total, snapshot)
  values (in_business, in_id, in_order, in_type, in_series, number, in_refund, in_issued_at, in_currency, in_total,
    in_snapshot);
  perform set_config('souk.document_number', in_series || number, true);
  return number;
end $$;
