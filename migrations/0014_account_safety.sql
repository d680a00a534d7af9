-- Mails to people, the browsers they are known by, and what people write to the provider.
alter table users
  add column mail_notices      boolean not null default true,
  -- Stands in each mail about the reader's money, and is good for nothing but to stop them.
  add column unsubscribe_token uuid not null default gen_random_uuid();
create unique index users_unsubscribe_token_key on users (unsubscribe_token);

-- What a link in a mail carries, as SHA-256. Only a worker adds one, at the moment when it mails it: the token itself is in the mail and
-- nowhere else, not even among the arguments of a job.
create table mailed_tokens (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id    uuid not null references users (id),
  purpose    text not null check (purpose in ('reset_password', 'verify_email')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index mailed_tokens_user on mailed_tokens (user_id, purpose);
create index mailed_tokens_expires on mailed_tokens (expires_at);

-- Browsers in which a person has signed in (OWASP: device cookies), by the SHA-256 of what they keep. Strangers who guess at an account
-- do not lock its owner out of them.
create table known_browsers (
  token_hash    bytea not null check (octet_length(token_hash) = 32),
  user_id       uuid not null references users (id),
  created_at    timestamptz not null,
  last_login_at timestamptz not null,
  primary key (token_hash, user_id)
);
create index known_browsers_user on known_browsers (user_id, last_login_at desc);
create index known_browsers_last_login on known_browsers (last_login_at);

create table bug_reports (
  id          uuid primary key,
  user_id     uuid references users (id), -- who was signed in
  name        text not null,
  email       text not null,
  subject     text not null,
  description text not null,
  created_at  timestamptz not null
);
create index bug_reports_created on bug_reports (created_at desc, id desc);

create table contact_messages (
  id         uuid primary key,
  user_id    uuid references users (id), -- who was signed in
  name       text not null,
  email      text not null,
  message    text not null,
  created_at timestamptz not null
);
create index contact_messages_created on contact_messages (created_at desc, id desc);
