-- The id of the call that an operation was requested by, which logs and traces have, too. It is null for operations of the clock and for
-- those of earlier versions.
alter table operations add column request_id text;
