-- Accounts that their owners have closed. A closed account is disabled, too, so whatever refuses disabled users refuses it, and it can never
-- be enabled. What its owner wrote is erased afterwards.
alter table users
  add column closed_at timestamptz,
  add column erased_at timestamptz,
  add constraint users_closed_check check (closed_at is null or disabled_at is not null) not valid,
  add constraint users_erased_check check (erased_at is null or closed_at is not null) not valid;

-- Nobody can take the username of a closed account, of which nothing readable is kept.
create table retired_usernames (
  skeleton_hash bytea primary key check (octet_length(skeleton_hash) = 32),
  retired_at    timestamptz not null
);

-- Name and address of closed accounts, for a day: for the last email, and to find the name in texts.
create table closed_accounts (
  user_id   uuid primary key references users (id),
  username  text not null,
  email     text not null,
  language  text not null,
  closed_at timestamptz not null
);
create index closed_accounts_closed on closed_accounts (closed_at);

alter table messages
  add column erased boolean not null default false,
  drop constraint messages_check,
  add constraint messages_check check (erased or text <> '' or image_id is not null) not valid;

alter table deals add column description_erased boolean not null default false;

alter table withdrawals
  drop constraint withdrawals_phone_number_check,
  add constraint withdrawals_phone_number_check check (phone_number = '' or phone_number ~ '^01[0-9]{9}$') not valid; -- '': erased
