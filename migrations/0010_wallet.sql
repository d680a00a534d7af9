-- What users pay in and withdraw, and corrections of wallets.

create table exchange_rates (
  id         bigint generated always as identity primary key,
  usd_to_bdt bigint not null check (usd_to_bdt between 100 and 10000000), -- poisha a dollar
  set_by     uuid references users (id), -- null: the operator's command line
  set_at     timestamptz not null
);

-- What the phones of the operator forward: the SMS of bKash and Nagad. The api stores a delivery as
-- it comes and cannot read it. A worker, which has the keys of the phones, verifies and deletes it.
create table phone_deliveries (
  id          uuid primary key,
  phone       text not null, -- as the address of the call names it
  body        text not null,
  stamp       text not null, -- the time that is signed with the body
  signature   text not null,
  received_at timestamptz not null
);

-- The accounts with a provider that payments go to: one for each SIM and method. Written by workers
-- alone, as are the payments.
create table receivers (
  id             uuid primary key,
  phone          text not null,
  sim            smallint not null, -- 0: the phone does not say
  payment_method text not null check (payment_method in ('Bkash', 'Nagad')),
  balance        bigint check (balance >= 0), -- poisha; null until an admin has entered it
  opening        bigint,                      -- poisha that the books did not explain when the first balance was entered
  entered        bigint not null default 0,   -- poisha that they did not explain when others were entered since
  heard_at       timestamptz not null,        -- when the phone was last heard of
  broken_at      timestamptz,                 -- since when its SMS do not continue the balance; null: they do
  constraint receivers_key unique (phone, sim, payment_method),
  check (balance is not null or broken_at is not null)
);

-- The movements on those accounts, as their SMS state them.
create table payments (
  id             uuid primary key,
  receiver_id    uuid not null references receivers (id),
  digest         bytea not null, -- of the SMS: a phone may forward one more than once
  text           text not null,  -- of the SMS
  state          text not null check (state in ('unread', 'held', 'chained', 'ignored')),
  unread_text    text generated always as (case when state = 'unread' then text end) stored, -- for the api
  forwarded_at   timestamptz not null,
  -- Null in an SMS that is not understood.
  outgoing       boolean,
  amount         bigint check (amount > 0),   -- poisha
  fee            bigint check (fee >= 0),     -- poisha
  balance        bigint check (balance >= 0), -- poisha, after it
  transaction_id text,
  party          text, -- the number or the name of the other side
  reference      text, -- in the payer's words
  made_at        timestamptz,
  constraint payments_digest_key unique (receiver_id, digest),
  check (num_nulls(outgoing, amount, fee, balance, transaction_id, party, reference, made_at) in (0, 8)),
  check ((state = 'unread') = (transaction_id is null))
);
-- A transfer between two of our own accounts is a payment of each.
create unique index payments_transaction_key on payments (transaction_id, outgoing);
create index payments_held on payments (receiver_id, made_at, id) where state = 'held';
create index payments_receiver on payments (receiver_id, forwarded_at desc, id desc);
create index payments_outgoing on payments (amount) where outgoing;

-- What users write as the reference of their payments, which then need no report. A code is for
-- ever: its owner changes with no privilege of the api.
create table payment_codes (
  code       text primary key
             check (code ~ '^[2-9BCDFGHJKMNPQRSTVWXZ]{6}$' and code ~ '[2-9]' and code ~ '[A-Z]'),
  user_id    uuid not null unique references users (id),
  created_at timestamptz not null,
  deal_id    uuid references deals (id),     -- that the payments of the day after aimed_at are for
  deal_terms bigint check (deal_terms > 0),  -- of the deal, which they pay; null: they do not
  aimed_at   timestamptz,
  receivers  jsonb not null default '{}', -- the numbers that the user was shown last, by method
  check (deal_terms is null or deal_id is not null)
);

create table deposits (
  id               uuid primary key,
  user_id          uuid not null references users (id),
  deal_id          uuid references deals (id), -- that the payment is for, if the user says so
  deal_terms       bigint check (deal_terms > 0), -- of the deal, which is paid with the credit; null: it is not
  unreported       boolean not null default false, -- made by a worker from the reference of the payment
  payment_method   text not null check (payment_method in ('Bkash', 'Nagad')),
  transaction_id   text not null check (transaction_id ~ '^[0-9A-Z]{8,12}$'),
  claimed_amount   bigint not null check (claimed_amount > 0),   -- cents, as the user says
  amount           bigint not null check (amount > 0),           -- cents, as credited
  rate             bigint not null check (rate > 0),             -- whole taka a dollar
  converted_amount bigint not null check (converted_amount > 0), -- poisha
  receiver         text check (receiver ~ '^01[0-9]{9}$'), -- the number that the user was shown
  payment_id       uuid references payments (id), -- the payment with the transaction ID, once an SMS states it
  paid_amount      bigint check (paid_amount > 0), -- poisha that arrived, if an SMS proves it; otherwise converted_amount is booked
  status           text not null default 'pending' check (status in ('pending', 'completed', 'Failed')),
  reason           text, -- in the admin's own words
  reason_code      text check (reason_code in
                     ('not_found', 'other_amount', 'used_before', 'other_number', 'retracted', 'expired', 'other')),
  created_at       timestamptz not null,
  handled_at       timestamptz,
  handled_by       uuid references users (id),
  claimed_by       uuid references users (id),
  claimed_until    timestamptz,
  -- A large credit that one admin wants waits here until another confirms it.
  proposed_amount  bigint check (proposed_amount > 0), -- cents
  proposed_reason  text,                               -- '': none
  proposed_by      uuid references users (id),
  proposed_at      timestamptz,
  check ((status = 'pending') = (handled_at is null)),
  check (handled_by <> user_id),
  check (converted_amount = amount * rate),
  check (deal_terms is null or deal_id is not null),
  constraint deposits_reason_code_failed check (reason_code is null or status = 'Failed'),
  constraint deposits_proposal_whole check (num_nulls(proposed_amount, proposed_reason, proposed_by, proposed_at) in (0, 4)),
  constraint deposits_proposal_open check (proposed_by is null or status = 'pending'),
  constraint deposits_proposal_not_own check (proposed_by <> user_id)
);
-- Two users may claim one payment: an admin finds out whose it is, and only one of them is ever
-- credited. A failed claim frees the number. A number is one payment, whatever its method is said
-- to be.
create unique index deposits_transaction_user_key on deposits (user_id, transaction_id) where status <> 'Failed';
create unique index deposits_transaction_completed_key on deposits (transaction_id) where status = 'completed';
-- Finds whole numbers and their beginnings, in any collation.
create index deposits_transaction on deposits (transaction_id text_pattern_ops);
create unique index deposits_payment_key on deposits (payment_id) where status = 'completed';
create index deposits_user on deposits (user_id, created_at desc, id desc);
create index deposits_user_pending on deposits (user_id, created_at desc, id desc) where status = 'pending';
-- The admins' lists are sorted and filtered by method in these indexes alone.
create index deposits_created on deposits (created_at desc, id desc) include (payment_method);
create index deposits_status on deposits (status, created_at, id) include (payment_method);
create index deposits_amount on deposits (amount, id) include (payment_method);
create index deposits_status_amount on deposits (status, amount, id) include (payment_method);
create index deposits_converted on deposits (converted_amount);
-- Adds up the amounts of a list. Many are equal, so it is small.
create index deposits_sums on deposits (status, payment_method, amount);
-- What each number has taken this month.
create index deposits_receiver on deposits (receiver, created_at) where status <> 'Failed';
-- The last credits, for how long they usually take.
create index deposits_credited on deposits (handled_at desc) include (created_at) where status = 'completed';

-- What users pay on a page of the provider. The api asks for one; all that the provider answers is
-- written by workers alone. Once it is paid, it becomes a deposit with the same id.
create table checkouts (
  id               uuid primary key,
  user_id          uuid not null references users (id),
  deal_id          uuid references deals (id), -- that the payment is for, if the user says so
  deal_terms       bigint check (deal_terms > 0), -- of the deal, which is paid with the credit; null: it is not
  payment_method   text not null check (payment_method = 'Bkash'),
  amount           bigint not null check (amount > 0),           -- cents
  rate             bigint not null check (rate > 0),             -- whole taka a dollar
  converted_amount bigint not null check (converted_amount > 0), -- poisha
  created_at       timestamptz not null,
  -- executing: the provider was asked to take the payment. It is asked once, whatever it answers.
  state            text not null default 'starting' check (state in ('starting', 'open', 'executing', 'paid', 'failed')),
  failure          text check (failure in ('unavailable', 'cancelled', 'declined', 'expired')),
  code             text, -- the provider's, if it declined
  url              text, -- of the page
  ref              text, -- of the payment, with the provider
  looked_at        timestamptz, -- when the provider was last asked what has become of it
  transaction_id   text check (transaction_id ~ '^[0-9A-Z]{8,12}$'),
  paid_amount      bigint check (paid_amount > 0), -- poisha
  payer            text, -- the payer's number
  paid_at          timestamptz,
  check (converted_amount = amount * rate),
  check (deal_terms is null or deal_id is not null),
  check ((state = 'failed') = (failure is not null)),
  check (state not in ('open', 'executing', 'paid') or num_nulls(url, ref) = 0),
  check (num_nulls(transaction_id, paid_amount, payer, paid_at) = case when state = 'paid' then 0 else 4 end)
);
create unique index checkouts_transaction_key on checkouts (transaction_id);
create index checkouts_unfinished on checkouts (created_at) where state in ('starting', 'open', 'executing');
create index checkouts_user on checkouts (user_id, created_at, id);

-- The providers whose checkout workers can use.
create table checkout_providers (
  payment_method text primary key check (payment_method = 'Bkash'),
  seen_at        timestamptz not null, -- when a worker last said so
  down_until     timestamptz,          -- the provider fails, or must not be called, until then
  token          text,                 -- for its calls; for workers only
  token_until    timestamptz,
  -- The last two calls for a token, however they ended.
  asked_at       timestamptz,
  asked_before   timestamptz
);

create table withdrawals (
  id               uuid primary key,
  user_id          uuid not null references users (id),
  payment_method   text not null check (payment_method in ('Bkash', 'Nagad')),
  phone_number     text not null check (phone_number = '' or phone_number ~ '^01[0-9]{9}$'), -- '': erased
  amount           bigint not null check (amount > 0),           -- cents
  rate             bigint not null check (rate > 0),             -- whole taka a dollar
  converted_amount bigint not null check (converted_amount > 0), -- poisha
  transaction_id   text,                                         -- of the payout
  payment_id       uuid references payments (id),                -- the payout, as its SMS states it
  status           text not null default 'pending' check (status in ('pending', 'completed', 'failed')),
  reason           text,
  requested_at     timestamptz not null,
  handled_at       timestamptz,
  handled_by       uuid references users (id),
  claimed_by       uuid references users (id),
  claimed_at       timestamptz, -- since when the admin of the claim has worked on it; renewing keeps it
  claimed_until    timestamptz,
  -- Unusual circumstances hold a withdrawal, so that money does not leave at once after an account
  -- was taken over.
  held_until       timestamptz, -- cannot be sent before, unless the owner confirms it
  held_reasons     text[] not null default '{}' check (held_reasons <@
                     array['new_number', 'password_reset', 'new_browser', 'factor_reset', 'email_changed', 'factor_added']),
  confirmed_at     timestamptz, -- by the mailed link
  cancelled_at     timestamptz, -- by the owner; nobody has handled it then
  disowned_at      timestamptz, -- the owner says that somebody else asked for it: it is never sent
  check ((status = 'pending') = (handled_at is null)),
  check (handled_by <> user_id),
  check (converted_amount = amount * rate),
  check (held_until is null or held_reasons <> '{}'),
  check (cancelled_at is null or status = 'failed' and handled_by is null)
);
create unique index withdrawals_transaction_key on withdrawals (transaction_id) where transaction_id is not null;
create unique index withdrawals_payment_key on withdrawals (payment_id) where payment_id is not null;
create index withdrawals_payout on withdrawals (phone_number, converted_amount);
create index withdrawals_user on withdrawals (user_id, requested_at desc, id desc);
create index withdrawals_user_pending on withdrawals (user_id) where status = 'pending';
create index withdrawals_user_sent on withdrawals (user_id, phone_number) where status = 'completed';
create index withdrawals_status on withdrawals (status, requested_at, id);
create index withdrawals_requested on withdrawals (requested_at desc, id desc);

-- The payments that are neither credited to anybody, nor a withdrawal, nor between two of our own
-- accounts.
create view unbooked_payments as
select p.id, p.receiver_id, p.outgoing, p.amount, p.forwarded_at
  from payments p
 where p.state = 'chained'
   and not exists (select from deposits d where d.payment_id = p.id and d.status = 'completed')
   and not exists (select from withdrawals w where w.payment_id = p.id)
   and not exists (select from payments o where o.transaction_id = p.transaction_id and o.outgoing <> p.outgoing);

-- Numbers that users have saved for their withdrawals.
create table payout_numbers (
  id             uuid primary key,
  user_id        uuid not null references users (id),
  name           text not null check (char_length(name) between 1 and 40),
  payment_method text not null check (payment_method in ('Bkash', 'Nagad')),
  phone_number   text not null check (phone_number ~ '^01[0-9]{9}$'),
  created_at     timestamptz not null,
  constraint payout_numbers_key unique (user_id, payment_method, phone_number)
);

-- Corrections of wallets: an admin or an operator proposes one, and another admin decides.
create table corrections (
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
  constraint corrections_two_admins check (status <> 'confirmed' or decided_by <> proposed_by or proposed_by is null),
  constraint corrections_not_own check (user_id <> proposed_by and user_id <> decided_by)
);
create index corrections_user on corrections (user_id, proposed_at, id);
create index corrections_status on corrections (status, proposed_at, id);
create index corrections_newest on corrections (proposed_at, id);
create index corrections_due on corrections (expires_at, id) where status = 'open';

-- Signs the codes of receipts and statements.
create table paper_key (
  single boolean primary key default true check (single),
  key    bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
);
insert into paper_key default values;
