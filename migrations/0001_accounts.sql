-- Users and their sessions, second factors and security.

create extension if not exists pg_trgm;

-- Users are never deleted: the ledger, deals and the audit log refer to them. A closed account is
-- also disabled, so whatever refuses disabled users refuses it.
create table users (
  id                     uuid primary key,
  username               text not null check (username ~ '^[A-Za-z0-9_-]{1,40}$'),
  -- What the name looks like: 0 and o, and 1, i and l, are the same, and nothing separates words.
  username_skeleton      text not null generated always as (translate(lower(username), '01i_-', 'oll')) stored,
  email                  text not null,
  is_verified            boolean not null default false, -- the address
  email_changed_at       timestamptz, -- holds withdrawals for a while, like password_reset_at
  password_hash          text not null,
  password_strong        boolean not null default false, -- it has the length that admins need
  password_reset_at      timestamptz, -- by a mailed link; a change with the old password does not count
  -- Since when a login needs the second factor; null while it is off. Every change of totp_secrets
  -- and passkeys sets it in its transaction.
  second_factor_since    timestamptz,
  second_factor_reset_at timestamptz, -- by the operator; holds withdrawals for a while
  factor_added_at        timestamptz, -- the latest one; holds withdrawals for a while
  is_admin               boolean not null default false,
  profile_pic            text not null default '',
  language               text not null default 'en' check (language in ('en', 'bn')),
  referral_code          text not null,
  referred_by            uuid references users (id) check (referred_by <> id),
  terms_accepted_at      timestamptz not null,
  created_at             timestamptz not null,
  disabled_at            timestamptz,
  suspended_by           uuid, -- the moderation case that disabled the account; null: another reason, or not disabled
  withdrawals_held_at    timestamptz, -- by the operator
  -- The owner says that a withdrawal was somebody else's. None leaves until the password has been
  -- reset by a mailed link.
  withdrawals_stopped_at timestamptz,
  mail_notices           boolean not null default true, -- the switch for all mails of notices
  mail_off               text[] not null default '{}' check (mail_off <@ array['deals', 'money', 'messages', 'reminders']),
  push_off               text[] not null default '{}' check (push_off <@ array['deals', 'money', 'messages', 'reminders', 'account']),
  push_details           boolean not null default false,
  quiet_from             smallint, -- pushes wait for the end of the quiet hours: minutes since midnight in Dhaka
  quiet_to               smallint,
  away_until             date, -- the last day, which others are shown while it has not passed
  unsubscribe_token      uuid not null default gen_random_uuid(), -- is in each mail that can be turned off, and can only do that
  closed_at              timestamptz, -- by the owner; never opened again
  erased_at              timestamptz, -- what the owner of a closed account wrote
  constraint users_closed_check check (closed_at is null or disabled_at is not null),
  constraint users_erased_check check (erased_at is null or closed_at is not null),
  constraint users_quiet_check check (
    (quiet_from is null) = (quiet_to is null) and quiet_from between 0 and 1439 and quiet_to between 0 and 1439
    and quiet_from <> quiet_to)
);
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));
create unique index users_referral_code_key on users (referral_code);
create unique index users_unsubscribe_token_key on users (unsubscribe_token);
-- Not unique: sign-up locks the skeleton and looks it up, since a closed account changes its name.
create index users_username_skeleton on users (username_skeleton);
-- Searches: trigrams need three letters, so shorter ones ask for beginnings. The unique indexes
-- serve those only in a database that sorts by code point.
create index users_username_trigrams on users using gin (lower(username) gin_trgm_ops) with (fastupdate = off);
create index users_username_beginning on users (lower(username) text_pattern_ops);
create index users_email_trgm on users using gin (lower(email) gin_trgm_ops);
create index users_email_beginning on users (lower(email) text_pattern_ops);
create index users_created on users (created_at desc, id desc);
create index users_referred_by on users (referred_by) where referred_by is not null;
create index users_admins on users (id) where is_admin;
create index users_suspended on users (suspended_by) where suspended_by is not null;
-- Closed accounts are disabled forever, and what they had published is gone.
create index users_disabled on users (id) where disabled_at is not null and erased_at is null;

-- Which version of the terms a user accepted.
create table consents (
  user_id     uuid not null references users (id),
  version     text not null,
  accepted_at timestamptz not null,
  address     text not null, -- of the request
  primary key (user_id, version)
);

-- A session is known by the SHA-256 of its token, so nobody who reads this table can sign in with
-- it.
create table sessions (
  id                    uuid primary key,
  user_id               uuid not null references users (id),
  token_hash            bytea not null check (octet_length(token_hash) = 32),
  user_agent            text not null default '',
  address               text not null default '',
  created_at            timestamptz not null,
  last_seen_at          timestamptz not null,
  expires_at            timestamptz not null,
  -- When the user last proved in this session to be the owner; null: never.
  password_confirmed_at timestamptz not null,
  factor_confirmed_at   timestamptz,
  mail_confirmed_at     timestamptz -- by a mailed code
);
create unique index sessions_token_hash_key on sessions (token_hash);
create index sessions_user on sessions (user_id);
create index sessions_expires on sessions (expires_at);

-- Browsers in which a user has signed in, by the SHA-256 of a cookie (OWASP: device cookies). Wrong
-- passwords of strangers do not lock the owner out of them, and withdrawals from others are held.
create table known_browsers (
  token_hash    bytea not null check (octet_length(token_hash) = 32),
  user_id       uuid not null references users (id),
  created_at    timestamptz not null,
  last_login_at timestamptz not null,
  at_signup     boolean not null default false, -- the account was opened in it: never a new browser
  primary key (token_hash, user_id)
);
create index known_browsers_user on known_browsers (user_id, last_login_at desc);
create index known_browsers_last_login on known_browsers (last_login_at);

-- The key of a user's authenticator app. It has to be readable to check a code, so it cannot be a
-- hash; no worker may read it.
create table totp_secrets (
  user_id      uuid primary key references users (id),
  secret       bytea not null check (octet_length(secret) = 20),
  created_at   timestamptz not null,
  confirmed_at timestamptz, -- with a first code; without effect before
  last_step    bigint,      -- of the last accepted code: this one and earlier ones are refused
  check ((confirmed_at is null) = (last_step is null))
);

create table passkeys (
  id              uuid primary key,
  user_id         uuid not null references users (id),
  credential_id   bytea not null constraint passkeys_credential_key unique,
  public_key      bytea not null,
  sign_count      bigint not null check (sign_count >= 0),
  backup_eligible boolean not null, -- never changes: a device that says otherwise is another one
  transports      text[] not null,
  name            text not null,
  created_at      timestamptz not null,
  last_used_at    timestamptz
);
create index passkeys_user on passkeys (user_id);

create table backup_codes (
  user_id    uuid not null references users (id),
  code_hash  bytea not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null,
  used_at    timestamptz,
  primary key (user_id, code_hash)
);

-- Logins that wait for the second factor or, without a user, for a passkey in place of a password.
create table login_challenges (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id    uuid references users (id),
  ceremony   jsonb, -- what the response of a passkey is checked against
  attempts   integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index login_challenges_user on login_challenges (user_id) where user_id is not null;
create index login_challenges_expires on login_challenges (expires_at);

-- What the response of a passkey is checked against for a user who is signed in.
create table passkey_ceremonies (
  session_id uuid primary key references sessions (id) on delete cascade,
  purpose    text not null check (purpose in ('register', 'confirm')),
  ceremony   jsonb not null,
  expires_at timestamptz not null
);
create index passkey_ceremonies_expires on passkey_ceremonies (expires_at);

-- Changes of addresses: a link mailed to the new address applies one, and a link mailed to the old
-- address undoes it.
create table email_changes (
  id           uuid primary key,
  user_id      uuid not null references users (id),
  old_email    text not null,
  new_email    text not null,
  old_verified boolean not null, -- only then is the old address told, and may undo the change
  requested_at timestamptz not null,
  applied_at   timestamptz,
  ended_at     timestamptz       -- withdrawn, replaced by another, or undone
);
create unique index email_changes_pending on email_changes (user_id) where applied_at is null and ended_at is null;
create index email_changes_user on email_changes (user_id);
-- Old addresses stay reserved for their owners while they may undo the change.
create index email_changes_reserved on email_changes (lower(old_email))
  where applied_at is not null and ended_at is null and old_verified;
create index email_changes_requested on email_changes (requested_at);

-- What happened to the security of an account, for its owner: logins, passwords, second factors and
-- addresses. The audit log has the same for the operator.
create table account_events (
  id         uuid primary key,
  user_id    uuid not null references users (id),
  kind       text not null,
  at         timestamptz not null,
  address    text not null, -- of the request
  user_agent text not null
);
create index account_events_user on account_events (user_id, at desc, id desc);
create index account_events_at on account_events (at);

-- Nobody can take the username of a closed account, of which nothing readable is kept.
create table retired_usernames (
  skeleton_hash bytea primary key check (octet_length(skeleton_hash) = 32),
  retired_at    timestamptz not null
);

-- Names and addresses of closed accounts, for a day: for the last email, and to find the name in
-- texts.
create table closed_accounts (
  user_id   uuid primary key references users (id),
  username  text not null,
  email     text not null,
  language  text not null,
  closed_at timestamptz not null
);
create index closed_accounts_closed on closed_accounts (closed_at);

-- Archives of what a user has made, which can be downloaded for some days.
create table data_exports (
  id           uuid primary key,
  user_id      uuid not null references users (id),
  status       text not null default 'pending' check (status in ('pending', 'ready', 'failed')),
  requested_at timestamptz not null,
  ready_at     timestamptz,
  expires_at   timestamptz,
  size         bigint not null default 0 check (size >= 0), -- bytes
  check ((status = 'ready') = (ready_at is not null)),
  check ((ready_at is null) = (expires_at is null))
);
create unique index data_exports_pending on data_exports (user_id) where status = 'pending';
create index data_exports_user on data_exports (user_id, requested_at desc, id desc);
create index data_exports_requested on data_exports (requested_at);

create table data_export_parts (
  export_id uuid not null references data_exports (id) on delete cascade,
  number    integer not null check (number >= 0),
  data      bytea storage external not null, -- compressed already
  primary key (export_id, number)
);
