-- What users are told: on their screens, by mail and by push.

-- Events of a user's screens, in a gapless sequence for each user. The row in user_seq is locked
-- until commit, so the order of seq is the order of commits.
create table user_seq (
  user_id uuid primary key references users (id),
  seq     bigint not null
) with (fillfactor = 70);

create table user_events (
  user_id uuid not null,
  seq     bigint not null,
  id      uuid not null,
  type    text not null,
  payload jsonb not null,
  at      timestamptz not null,
  primary key (user_id, seq)
);
create index user_events_at on user_events (at);

-- kind and params are rendered in the reader's language.
create table notifications (
  id            uuid primary key,
  user_id       uuid not null references users (id),
  audience      text not null check (audience in ('user', 'admin')),
  kind          text not null,
  params        jsonb not null,
  about_user_id uuid references users (id),
  link          text not null default '',
  is_read       boolean not null default false,
  mailed_at     timestamptz,
  created_at    timestamptz not null
);
create index notifications_user on notifications (user_id, created_at desc, id desc);
create index notifications_unread on notifications (user_id) where not is_read;
create index notifications_age on notifications (is_read, created_at);
create index notifications_about on notifications (about_user_id) where about_user_id is not null;

-- Mails of notifications that have not been sent yet. The transaction that writes a notification
-- adds its row, and a periodic job sends what is due. due_at is real time, like that of River's
-- jobs: a sweep that takes a row moves it on until the row's lease ends.
create table due_mails (
  notification_id uuid primary key references notifications (id) on delete cascade,
  due_at          timestamptz not null,
  attempts        integer not null default 0,
  last_error      text not null default ''
);
create index due_mails_due on due_mails (due_at);

-- Browsers that show notices while no page is open. They end with the logout of their session, but
-- not when it expires: its user is away then, and should hear of what happens. So the session need
-- not exist any more.
create table push_subscriptions (
  id           uuid primary key,
  user_id      uuid not null references users (id),
  session_id   uuid not null,
  endpoint     text not null check (octet_length(endpoint) <= 1000),
  p256dh       bytea not null check (octet_length(p256dh) = 65),
  auth         bytea not null check (octet_length(auth) = 16),
  user_agent   text not null,
  created_at   timestamptz not null,
  renewed_at   timestamptz not null,
  last_used_at timestamptz
);
create unique index push_subscriptions_endpoint on push_subscriptions (endpoint);
create index push_subscriptions_user on push_subscriptions (user_id);
create index push_subscriptions_session on push_subscriptions (session_id);
create index push_subscriptions_renewed on push_subscriptions (renewed_at);

-- Pushes that have not been sent yet, one for each browser: of a notification, of a message, or of
-- neither, for a test. Of those with one topic, only the newest is sent. due_at is real time, as in
-- due_mails. A subscription may end at any time, so nothing refers to it: the sweep removes the
-- pushes that it leaves behind.
create table due_pushes (
  id              bigint generated always as identity primary key,
  subscription_id uuid not null,
  topic           text not null,
  notification_id uuid references notifications (id) on delete cascade,
  message_id      uuid references messages (id),
  created_at      timestamptz not null,
  due_at          timestamptz not null,
  attempts        integer not null default 0,
  last_error      text not null default '',
  check (num_nonnulls(notification_id, message_id) <= 1)
);
create index due_pushes_due on due_pushes (due_at);
create index due_pushes_topic on due_pushes (subscription_id, topic, id);
create index due_pushes_notification on due_pushes (notification_id) where notification_id is not null;

-- What a link or code in a mail carries, as SHA-256. Only a worker adds one, when it mails it: the
-- token itself is nowhere but in the mail, not even in the arguments of a job.
create table mailed_tokens (
  token_hash      bytea primary key check (octet_length(token_hash) = 32),
  user_id         uuid not null references users (id),
  purpose         text not null check (purpose in
                    ('reset_password', 'verify_email', 'confirm_withdrawal', 'stop_withdrawal', 'change_email', 'undo_email', 'appeal',
                     'confirm_owner', 'remove_factor')),
  withdrawal_id   uuid references withdrawals (id),
  email_change_id uuid references email_changes (id),
  case_id         uuid references moderation_cases (id),
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  used_at         timestamptz,
  check ((purpose in ('confirm_withdrawal', 'stop_withdrawal')) = (withdrawal_id is not null)),
  constraint mailed_tokens_email_change_check check ((purpose in ('change_email', 'undo_email')) = (email_change_id is not null)),
  constraint mailed_tokens_case_check check ((purpose = 'appeal') = (case_id is not null))
);
create index mailed_tokens_user on mailed_tokens (user_id, purpose);
create index mailed_tokens_expires on mailed_tokens (expires_at);
create index mailed_tokens_withdrawal on mailed_tokens (withdrawal_id, purpose) where withdrawal_id is not null;
create index mailed_tokens_email_change on mailed_tokens (email_change_id) where email_change_id is not null;
create index mailed_tokens_case on mailed_tokens (case_id) where case_id is not null;
