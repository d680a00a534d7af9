-- In a migration of their own, after the one that adds the constraints has released its locks: reading whole tables here keeps nobody from
-- reading and writing them.
alter table deals validate constraint deals_counteroffer_by_fkey;
alter table deals validate constraint deals_described_by_fkey;
alter table deals validate constraint deals_counteroffer_pending;
