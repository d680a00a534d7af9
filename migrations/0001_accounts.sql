-- People and their sessions. Users are never deleted: ledger, deals and audit log refer to them for ever.
create table users (
  id                  uuid primary key,
  username            text not null check (username ~ '^[A-Za-z0-9_-]{1,40}$'),
  email               text not null,
  password_hash       text not null,
  profile_pic         text not null default '',
  is_admin            boolean not null default false,
  is_verified         boolean not null default false,
  language            text not null default 'en' check (language in ('en', 'bn')),
  referral_code       text not null,
  referred_by         uuid references users (id) check (referred_by <> id),
  terms_accepted_at   timestamptz not null,
  created_at          timestamptz not null,
  disabled_at         timestamptz,
  withdrawals_held_at timestamptz
);
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));
create unique index users_referral_code_key on users (referral_code);
create index users_admins on users (id) where is_admin;

-- A session is known by the SHA-256 of its token: who reads this table cannot sign in with it.
create table sessions (
  id                    uuid primary key,
  user_id               uuid not null references users (id),
  token_hash            bytea not null check (octet_length(token_hash) = 32),
  user_agent            text not null default '',
  address               text not null default '',
  created_at            timestamptz not null,
  last_seen_at          timestamptz not null,
  expires_at            timestamptz not null,
  password_confirmed_at timestamptz not null
);
create unique index sessions_token_hash_key on sessions (token_hash);
create index sessions_user on sessions (user_id);
create index sessions_expires on sessions (expires_at);
