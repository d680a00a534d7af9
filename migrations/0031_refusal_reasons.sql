-- Which text a rejected operation was refused with, and the values in it. Null in rows that are older.
alter table operations add column error_reason text, add column error_params jsonb;
