-- Like orders: rows up to 8 KB are stored as they are. Compressing an event took longer than the rest of its write.
alter table event_outbox set (toast_tuple_target = 8160);
alter table events set (toast_tuple_target = 8160);
