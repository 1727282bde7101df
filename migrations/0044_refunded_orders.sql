-- When the payment status of a refunded order was set. Reports use it for refunds that staff recorded by the status alone.
create index orders_refunded on orders (business_id, coalesce((doc #>> '{paymentStatus,-1,timestamp}')::bigint, paid_at))
  where payment_status in ('PARTIALLY_REFUNDED', 'REFUNDED');
