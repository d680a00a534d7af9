-- The second factor of a login: codes of an authenticator app, passkeys and backup codes.
alter table users
  -- Since when a login needs the second factor; null while it is off. Every change of totp_secrets and passkeys sets it in its transaction.
  add column second_factor_since    timestamptz,
  add column second_factor_reset_at timestamptz; -- by the operator; withdrawals are held afterwards as after a password reset

-- When the person last proved the second factor in the session; null: never.
alter table sessions add column factor_confirmed_at timestamptz;

-- The key of the person's authenticator app. It has to be readable to check a code, so it cannot be a hash; no worker may read it.
create table totp_secrets (
  user_id      uuid primary key references users (id),
  secret       bytea not null check (octet_length(secret) = 20),
  created_at   timestamptz not null,
  confirmed_at timestamptz, -- with a first code; without effect before
  last_step    bigint,      -- of the last accepted code: that one and those before are refused
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

-- Logins that wait for the second factor, or, without a user, for a passkey in place of a password.
create table login_challenges (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id    uuid references users (id),
  ceremony   jsonb, -- what the answer of a passkey is checked against
  attempts   integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index login_challenges_user on login_challenges (user_id) where user_id is not null;
create index login_challenges_expires on login_challenges (expires_at);

-- What the answer of a passkey is checked against, of somebody who is signed in.
create table passkey_ceremonies (
  session_id uuid primary key references sessions (id) on delete cascade,
  purpose    text not null check (purpose in ('register', 'confirm')),
  ceremony   jsonb not null,
  expires_at timestamptz not null
);
create index passkey_ceremonies_expires on passkey_ceremonies (expires_at);

alter table withdrawals
  drop constraint withdrawals_held_reasons_check,
  add constraint withdrawals_held_reasons_check
    check (held_reasons <@ array['new_number', 'password_reset', 'new_browser', 'factor_reset']) not valid;
alter table withdrawals validate constraint withdrawals_held_reasons_check;
