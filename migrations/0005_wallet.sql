create table exchange_rates (
  id         bigint generated always as identity primary key,
  usd_to_bdt bigint not null check (usd_to_bdt between 100 and 10000000), -- poisha a dollar
  set_by     uuid references users (id), -- null: the operator's command line
  set_at     timestamptz not null
);

create table deposits (
  id               uuid primary key,
  user_id          uuid not null references users (id),
  payment_method   text not null check (payment_method in ('Bkash', 'Nagad')),
  transaction_id   text not null check (transaction_id ~ '^[0-9A-Z]{8,12}$'),
  claimed_amount   bigint not null check (claimed_amount > 0),   -- cents, as the user says
  amount           bigint not null check (amount > 0),           -- cents, as credited
  rate             bigint not null check (rate > 0),             -- whole taka a dollar
  converted_amount bigint not null check (converted_amount > 0), -- poisha
  status           text not null default 'pending' check (status in ('pending', 'completed', 'Failed')),
  reason           text,
  created_at       timestamptz not null,
  handled_at       timestamptz,
  handled_by       uuid references users (id),
  claimed_by       uuid references users (id),
  claimed_until    timestamptz,
  check ((status = 'pending') = (handled_at is null)),
  check (handled_by <> user_id),
  check (converted_amount = amount * rate)
);
-- One mobile-money payment pays in once. A failed claim frees the number for whoever really sent it.
create unique index deposits_transaction_key on deposits (payment_method, transaction_id) where status <> 'Failed';
create index deposits_transaction on deposits (payment_method, transaction_id);
create index deposits_user on deposits (user_id, created_at desc, id desc);
create index deposits_status on deposits (status, created_at, id);
create index deposits_created on deposits (created_at desc, id desc);

create table withdrawals (
  id               uuid primary key,
  user_id          uuid not null references users (id),
  payment_method   text not null check (payment_method in ('Bkash', 'Nagad')),
  phone_number     text not null check (phone_number ~ '^01[0-9]{9}$'),
  amount           bigint not null check (amount > 0),           -- cents
  rate             bigint not null check (rate > 0),             -- whole taka a dollar
  converted_amount bigint not null check (converted_amount > 0), -- poisha
  transaction_id   text,                                         -- of the payout
  status           text not null default 'pending' check (status in ('pending', 'completed', 'failed')),
  reason           text,
  requested_at     timestamptz not null,
  handled_at       timestamptz,
  handled_by       uuid references users (id),
  claimed_by       uuid references users (id),
  claimed_until    timestamptz,
  check ((status = 'pending') = (handled_at is null)),
  check (handled_by <> user_id),
  check (converted_amount = amount * rate)
);
create unique index withdrawals_transaction_key on withdrawals (payment_method, transaction_id) where transaction_id is not null;
create index withdrawals_user on withdrawals (user_id, requested_at desc, id desc);
create index withdrawals_status on withdrawals (status, requested_at, id);
create index withdrawals_requested on withdrawals (requested_at desc, id desc);
