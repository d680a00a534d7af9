-- What a person's screens must hear of, in one gapless sequence a person. The row in user_seq is locked until commit, so the order of
-- seq is the order of commits.
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

-- kind and params are rendered in the reader's language (internal/texts).
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

-- Who with power did what. Append-only: no role may update or delete, and neither may the owner.
create table audit_log (
  id         bigint generated always as identity primary key,
  at         timestamptz not null,
  actor_id   uuid references users (id), -- null: the operator's command line
  action     text not null,
  subject    text not null,
  details    jsonb not null
);
create index audit_log_at on audit_log (at desc);
create trigger audit_log_immutable before update or delete or truncate on audit_log
  for each statement execute function ledger.refuse_change();
