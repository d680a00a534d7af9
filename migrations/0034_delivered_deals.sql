-- A profile shows how fast its user delivers: their latest completed deals that were delivered, newest first.
create index deals_delivered_seller on deals (seller_id, closed_at desc) include (activated_at, first_delivered_at)
  where status = 'Completed' and first_delivered_at is not null;
