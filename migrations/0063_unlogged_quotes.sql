-- A quote lives for a quarter of an hour, and whoever loses one asks again: writing it does not wait for the disk.
alter table quotes set unlogged;
