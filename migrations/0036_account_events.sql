-- What happened to the security of an account, for its owner: logins, passwords, second factor, address. The log has the same for the operator.
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
