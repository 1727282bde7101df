-- The API key that a change was made with; null: a session, or the service itself.
alter table versions add column key_id text;
