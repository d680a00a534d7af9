-- In a migration of their own, after the one that adds the constraints has released its locks: reading whole tables here keeps nobody from
-- reading and writing them.
alter table deals validate constraint deals_fee_of_price;
alter table deal_counteroffers validate constraint deal_counteroffers_fee_of_price;
alter table dispute_offers validate constraint dispute_offers_fee_of_rest;
alter table dispute_decisions validate constraint dispute_decisions_fee_of_rest;
