-- Run after every migration; does nothing while the database stays in its cluster. A dump brings along numbers of transactions of the
-- cluster that it was made in. Another one begins to count low: what is posted there would be older than the rollups and never be seen.
do $$ begin
  perform pg_advisory_xact_lock(hashtextextended('ledger.fold', 0)); -- of ledger.fold: not while it adds to rollups
  if exists (select from ledger.rollups where upto_xid > pg_snapshot_xmax(pg_current_snapshot())) then
    delete from ledger.rollups;
    -- Balances would be right without this, too. But what the next fold may not touch yet would be read whole for each of them, until the
    -- cluster has counted as far as the old one had.
    update ledger.entries set xid = '0' where balance_after is null and xid >= pg_snapshot_xmax(pg_current_snapshot());
  end if;
end $$;
