-- Entries that went with their collection have left what they used behind, which could not be deleted then.
delete from media_references r
where r.entity like 'entry:%' and not exists (
  select from entries e where e.business_id = r.business_id and 'entry:' || e.id = r.entity);
