-- What a basket needs to know of a variant besides its stock, as JSON: the names and prices that it is sold under. Read instead of
-- the product's document, which may be a thousand times as large. Null: a product that was last saved before there was this
-- column; its document is read, and a job fills the column in.
alter table stock add column sold_as text;
create index stock_not_sold_as on stock (business_id, product_id) where sold_as is null;
