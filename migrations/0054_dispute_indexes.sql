-- In a migration of their own, after the one that adds the constraints has released its locks: reading whole tables here keeps nobody from
-- reading and writing them.
alter table deal_pictures validate constraint deal_pictures_entry_id_fkey;
alter table deal_pictures validate constraint deal_pictures_place_of_use;
-- Building indexes keeps nobody from reading the table.
create index deal_pictures_entry on deal_pictures (entry_id, place) where entry_id is not null;
create index deal_pictures_waiting on deal_pictures (created_at) where event_id is null and entry_id is null;
drop index deal_pictures_unused;
alter index deal_pictures_waiting rename to deal_pictures_unused;
-- What the record of a user counts, with the condition of deal_counts.
create index deals_counted_buyer on deals (buyer_id, seller_id) include (price, refunded_amount)
  where status = 'Completed' and coalesce(2 * refunded_amount, 0) <= price;
create index deals_counted_seller on deals (seller_id, buyer_id) include (price, refunded_amount)
  where status = 'Completed' and coalesce(2 * refunded_amount, 0) <= price;
create index deals_counted_delivered on deals (seller_id, closed_at desc) include (activated_at, first_delivered_at)
  where status = 'Completed' and coalesce(2 * refunded_amount, 0) <= price and first_delivered_at is not null;
drop index deals_completed_buyer;
drop index deals_completed_seller;
drop index deals_delivered_seller;
alter index deals_counted_buyer rename to deals_completed_buyer;
alter index deals_counted_seller rename to deals_completed_seller;
alter index deals_counted_delivered rename to deals_delivered_seller;
