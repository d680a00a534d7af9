-- no transaction
drop index concurrently if exists operations_payout;
create index concurrently operations_payout on operations ((params->>'transactionId')) where kind = 'withdrawal_send';
