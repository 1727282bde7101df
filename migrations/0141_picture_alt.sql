-- What the file says a picture shows, as JSON: a text, or texts by locale. Empty: it says nothing.
alter table import_pictures add column alt text not null default '""';
