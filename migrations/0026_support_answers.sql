-- What an admin answers to a support request. Both parties read it.
alter table support_requests add column answer text not null default '';
-- The texts of these notices end with the answer; those written before have none.
update notifications set params = params || '{"note": ""}' where kind in ('deal_support_done', 'deal_support_closed');
