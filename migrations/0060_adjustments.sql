-- Corrections of wallets: one admin, or an operator, proposes one, and another admin decides. The next migration validates the constraint.
create table adjustments (
  id          uuid primary key,
  user_id     uuid not null references users (id),
  amount      bigint not null check (amount <> 0 and amount between -1000000000000 and 1000000000000), -- cents; below zero: a debit
  reason      text not null check (reason <> ''), -- the user reads it
  note        text not null default '', -- for admins
  status      text not null default 'open' check (status in ('open', 'confirmed', 'rejected', 'withdrawn', 'expired')),
  proposed_by uuid references users (id), -- null: an operator
  proposed_at timestamptz not null,
  expires_at  timestamptz not null,
  decided_by  uuid references users (id), -- null while open, and when it expired
  decided_at  timestamptz,
  decision    text, -- why it was rejected
  check ((status = 'open') = (decided_at is null)),
  check ((status in ('open', 'expired')) = (decided_by is null)),
  check ((status = 'rejected') = (decision is not null)),
  constraint adjustments_two_admins check (status <> 'confirmed' or decided_by <> proposed_by or proposed_by is null),
  constraint adjustments_not_own check (user_id <> proposed_by and user_id <> decided_by)
);
create index adjustments_user on adjustments (user_id, proposed_at, id);
create index adjustments_status on adjustments (status, proposed_at, id);
create index adjustments_newest on adjustments (proposed_at, id);
create index adjustments_due on adjustments (expires_at, id) where status = 'open';

-- Corrections are booked against an account of their own.
alter table ledger.accounts
  drop constraint accounts_kind_check,
  add constraint accounts_kind_check check (kind in
    ('wallet', 'escrow', 'hold', 'fees', 'referral_payable', 'exchange', 'bkash', 'nagad', 'corrections')) not valid;
