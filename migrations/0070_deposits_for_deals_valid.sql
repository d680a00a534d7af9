-- In a migration of its own, after the one that adds the constraint has released its locks.
alter table deposits validate constraint deposits_deal_id_fkey;
