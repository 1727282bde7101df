-- How often a process died during an import since its last progress, and how many of its records took too long to convert.
alter table imports add column interruptions integer not null default 0;
alter table imports add column slow_records integer not null default 0;
