-- no transaction
drop index concurrently if exists deals_counted_buyer;
drop index concurrently if exists deals_counted_seller;
drop index concurrently if exists deals_counted_delivered;
create index concurrently deals_counted_buyer on deals (buyer_id, seller_id) include (price, refunded_amount)
  where status = 'Completed' and accepted_at is not null and price >= 100 and coalesce(2 * refunded_amount, 0) <= price;
create index concurrently deals_counted_seller on deals (seller_id, buyer_id) include (price, refunded_amount)
  where status = 'Completed' and accepted_at is not null and price >= 100 and coalesce(2 * refunded_amount, 0) <= price;
create index concurrently deals_counted_delivered on deals (seller_id, closed_at desc) include (activated_at, first_delivered_at)
  where status = 'Completed' and accepted_at is not null and price >= 100 and coalesce(2 * refunded_amount, 0) <= price
    and first_delivered_at is not null;
drop index concurrently if exists deals_completed_buyer;
drop index concurrently if exists deals_completed_seller;
drop index concurrently if exists deals_delivered_seller;
