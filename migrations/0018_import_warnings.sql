-- A warning is a row that was imported with a change or a loss, such as a negative stock stored as 0.
alter table import_errors add column severity text not null default 'ERROR';
alter table import_errors add constraint import_errors_severity_check check (severity in ('ERROR', 'WARNING'));
create index import_errors_severity on import_errors (business_id, import_id, severity, n);
alter table imports add column warning_count bigint not null default 0;
-- The columns or fields of the file that the import ignores.
alter table imports add column ignored jsonb not null default '[]';
