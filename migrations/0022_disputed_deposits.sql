-- Two people may claim one payment: an admin finds out whose it is, and only one of them is ever credited. A failed claim frees the number.
drop index deposits_transaction_key;
create unique index deposits_transaction_user_key on deposits (user_id, transaction_id) where status <> 'Failed';
create unique index deposits_transaction_completed_key on deposits (transaction_id) where status = 'completed';
drop index deposits_transaction;
create index deposits_transaction on deposits (transaction_id);

-- A number is one payment, whatever method it is said to be of.
drop index withdrawals_transaction_key;
create unique index withdrawals_transaction_key on withdrawals (transaction_id) where transaction_id is not null;

-- A large credit that one admin wants waits here until another confirms it.
alter table deposits
  add column proposed_amount bigint check (proposed_amount > 0), -- cents
  add column proposed_reason text,                               -- '': none
  add column proposed_by     uuid references users (id),
  add column proposed_at     timestamptz,
  add constraint deposits_proposal_whole check (num_nulls(proposed_amount, proposed_reason, proposed_by, proposed_at) in (0, 4)),
  add constraint deposits_proposal_open check (proposed_by is null or status = 'pending'),
  add constraint deposits_proposal_not_own check (proposed_by <> user_id);
