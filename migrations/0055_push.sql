-- What users want to hear of each group of notices. users.mail_notices stays the switch for all mails of notices. The quiet hours, in which
-- pushes wait, are minutes since midnight in Dhaka. The next migration validates the constraints.
alter table users
  add column mail_off text[] not null default '{}',
  add column push_off text[] not null default '{}',
  add column push_details boolean not null default false,
  add column quiet_from smallint,
  add column quiet_to smallint,
  add constraint users_mail_off_check check (mail_off <@ array['deals', 'money', 'messages', 'reminders']) not valid,
  add constraint users_push_off_check check (push_off <@ array['deals', 'money', 'messages', 'reminders', 'account']) not valid,
  add constraint users_quiet_check check (
    (quiet_from is null) = (quiet_to is null) and quiet_from between 0 and 1439 and quiet_to between 0 and 1439 and quiet_from <> quiet_to
  ) not valid;

-- Browsers that show notices while no page is open. They end with the logout of their session, but not when it runs out: then their users are
-- away, and hear of what happens. So the session need not exist any more.
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

-- Pushes that have not been sent yet, one for each browser: of a notification, of a message, or of neither, for a test. Of those with one
-- topic, only the newest is sent. due_at is real time, as in due_mails. A subscription may end at any time, so that nothing refers to it:
-- the sweep removes the pushes that it leaves behind.
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
  constraint due_pushes_check check (num_nonnulls(notification_id, message_id) <= 1)
);
create index due_pushes_due on due_pushes (due_at);
create index due_pushes_topic on due_pushes (subscription_id, topic, id);
create index due_pushes_notification on due_pushes (notification_id) where notification_id is not null;

-- Up to which message each member of a conversation has been told by mail that messages are unread.
alter table conversations
  add column told_a bigint not null default 0,
  add column told_b bigint not null default 0;

-- When both parties were reminded for the last time before the system acts.
alter table deals add column reminded_at timestamptz;
