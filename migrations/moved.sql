-- Resets the rollups if the database has moved to another cluster. Runs after every migration and
-- does nothing otherwise. A dump contains transaction IDs of the cluster it was taken from. A new
-- cluster starts at lower IDs, so its postings would appear older than the rollups and never be
-- counted.
do $$ begin
  perform pg_advisory_xact_lock(hashtextextended('ledger.fold', 0)); -- not while ledger.fold runs
  if exists (select from ledger.rollups where upto_xid > pg_snapshot_xmax(pg_current_snapshot())) then
    delete from ledger.rollups;
    -- Not needed for correct balances. But fold could not include these entries until the cluster
    -- reaches the old transaction IDs, and until then every balance query would read all of them.
    update ledger.entries set xid = '0' where balance_after is null and xid >= pg_snapshot_xmax(pg_current_snapshot());
  end if;
end $$;
