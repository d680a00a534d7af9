-- When the seller agreed to the deal: at creation, when they made it; by accepting or delivering it, when the buyer did.
alter table deals add column accepted_at timestamptz;
update deals set accepted_at = created_at where created_by = seller_id;
-- Deals of buyers that went on before there was accepting count as before.
update deals set accepted_at = coalesce(first_delivered_at, activated_at) where created_by = buyer_id and activated_at is not null;

-- What waits for a seller is bounded by pair and by maker, who is the buyer.
create index deals_unaccepted on deals (buyer_id, seller_id) where accepted_at is null and removed_at is null and closed_at is null;

-- With how many people somebody has completed deals, and for how much, is on public pages.
create index deals_completed_buyer on deals (buyer_id) include (seller_id, price) where status = 'Completed';
create index deals_completed_seller on deals (seller_id) include (buyer_id, price) where status = 'Completed';
