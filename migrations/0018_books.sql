-- entries.xid is no part of what was posted: it numbers a transaction of the cluster that it was posted in, and a database that is moved
-- to another cluster must be able to forget it (moved.sql). All else of an entry stays as it is for ever.
drop trigger entries_immutable on ledger.entries;
create trigger entries_immutable
  before update of transfer_id, account_id, currency, amount, balance_after, version, at or delete or truncate on ledger.entries
  for each statement execute function ledger.refuse_change();

-- How the latest reconciliation ended: how often each rule of the books was found broken, for the metrics.
create table books_checks (
  rule       text primary key,
  broken     integer not null check (broken >= 0),
  checked_at timestamptz not null
);

-- Nothing asks when operations were finished, and each settlement had to write it.
drop index operations_finished;
