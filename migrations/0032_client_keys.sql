-- By which the pages of a message's sender recognize it. Null in messages sent without an Idempotency-Key, and in older ones.
alter table messages add column client_key text;
