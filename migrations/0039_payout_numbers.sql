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
