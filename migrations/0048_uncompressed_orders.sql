-- Rows up to 8 KB are stored as they are. PostgreSQL compresses documents of more than 2 KB, which takes longer than the rest of the
-- write, and reports decompress each of them again. Existing rows change with their next write.
alter table orders set (toast_tuple_target = 8160);
alter table documents set (toast_tuple_target = 8160);
