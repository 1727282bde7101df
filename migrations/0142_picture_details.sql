-- What else the file says of a picture, as JSON: its title and focal point. `product_id` names what waits for it, which may be an
-- entry now: ids tell.
alter table import_pictures add column details text not null default '{}';
