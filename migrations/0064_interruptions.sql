-- How many times in a row the process died during this work.
alter table tasks add column interruptions smallint not null default 0;
alter table webhook_queues add column interruptions smallint not null default 0;
alter table deliveries add column interruptions smallint not null default 0;
