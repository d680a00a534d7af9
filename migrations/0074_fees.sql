-- The fee is 2% of the price, rounded half up. What a dispute gives the seller and the fee are the part of the price that the buyer does not get
-- back; that the parts sum to the price is checked by the worker, since the price is in another table. The next migration validates the
-- constraints.
alter table deals add constraint deals_fee_of_price check (fee = (price * 2 + 50) / 100) not valid;
alter table deal_counteroffers add constraint deal_counteroffers_fee_of_price check (fee = (price * 2 + 50) / 100) not valid;
alter table dispute_offers add constraint dispute_offers_fee_of_rest check (fee = ((seller_gets + fee) * 2 + 50) / 100) not valid;
alter table dispute_decisions add constraint dispute_decisions_fee_of_rest check (fee = ((seller_gets + fee) * 2 + 50) / 100) not valid;
