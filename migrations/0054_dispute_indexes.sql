-- In a migration of their own, after the one that adds the constraints has released its locks: reading whole tables here keeps nobody from
-- reading and writing them.
alter table deal_pictures validate constraint deal_pictures_entry_id_fkey;
alter table deal_pictures validate constraint deal_pictures_place_of_use;
-- Building indexes keeps nobody from reading the table.
create index deal_pictures_entry on deal_pictures (entry_id, place) where entry_id is not null;
create index deal_pictures_waiting on deal_pictures (created_at) where event_id is null and entry_id is null;
drop index deal_pictures_unused;
alter index deal_pictures_waiting rename to deal_pictures_unused;
