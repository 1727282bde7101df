-- Carts and orders also need the options and the first image of a variant.
update stock s
set sold_as = jsonb_set(jsonb_set(s.sold_as, '{options}', coalesce(v.variant -> 'attributes', 'null')), '{image}', coalesce((
    select jsonb_object('{id,url,mimeType}', array[item ->> 'id', item ->> 'url', item ->> 'mimeType'])
    from jsonb_array_elements(coalesce(v.variant -> 'gallery', '[]') || coalesce(p.doc -> 'gallery', '[]'))
      with ordinality as g (item, n)
    where item ->> 'mimeType' like 'image/%' order by n limit 1
  ), 'null'))
from products p cross join lateral jsonb_array_elements(p.doc -> 'variants') as v (variant)
where p.business_id = s.business_id and p.id = s.product_id and v.variant ->> 'id' = s.variant_id and s.sold_as is not null;
