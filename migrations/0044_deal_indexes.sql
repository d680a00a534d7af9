-- What an account may pay and withdraw depends on its completed deals and on the last 24 hours.

-- By partner, so that different partners are found without reading all deals.
create index deals_completed_buyer_partner on deals (buyer_id, seller_id) include (price) where status = 'Completed';
create index deals_completed_seller_partner on deals (seller_id, buyer_id) include (price) where status = 'Completed';
-- Paid deals of a buyer by the time of the payment.
create index deals_paid on deals (buyer_id, activated_at) include (price) where activated_at is not null;

drop index deals_completed_buyer;
drop index deals_completed_seller;
alter index deals_completed_buyer_partner rename to deals_completed_buyer;
alter index deals_completed_seller_partner rename to deals_completed_seller;
