-- Entries that were sent to all subscribers, for the archive of a newsletter.
create index sends_archive on sends (business_id, collection_id, entry_id)
  where started_at is not null and automation_id is null and segment_id is null;
