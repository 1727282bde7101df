-- Two users may have chosen the same value: a refusal would tell the second one that it is somebody's key. It opens neither account.
alter table api_keys drop constraint api_keys_hash;
create index api_keys_hash on api_keys (hash);
alter table api_keys add constraint api_keys_own_hash unique (user_id, hash);
