alter table deposits validate constraint deposits_reason_code_check;
alter table deposits validate constraint deposits_reason_code_failed;

-- The admins' lists of deposits are sorted and filtered in the indexes alone: the method joins the columns that those in order of time include.
-- Building indexes keeps nobody from reading the table.
create index deposits_created_method on deposits (created_at desc, id desc) include (payment_method);
create index deposits_status_method on deposits (status, created_at, id) include (payment_method);
drop index deposits_created, deposits_status;
alter index deposits_created_method rename to deposits_created;
alter index deposits_status_method rename to deposits_status;
-- By amount, which is also searched for.
create index deposits_amount on deposits (amount, id) include (payment_method);
create index deposits_status_amount on deposits (status, amount, id) include (payment_method);
-- Adds up the amounts of a list. Many are equal, so it is small.
create index deposits_sums on deposits (status, payment_method, amount);
create index deposits_converted on deposits (converted_amount);
-- Finds beginnings of transaction IDs in any collation, besides whole ones.
create index deposits_transaction_beginning on deposits (transaction_id text_pattern_ops);
drop index deposits_transaction;
alter index deposits_transaction_beginning rename to deposits_transaction;
-- A user's deposits that are being checked, and the last that were credited, for how long that usually takes.
create index deposits_user_pending on deposits (user_id, created_at desc, id desc) where status = 'pending';
create index deposits_credited on deposits (handled_at desc) include (created_at) where status = 'completed';
