-- Archives of what a user has made, which they can download for some days.
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
  data      bytea not null,
  primary key (export_id, number)
);
alter table data_export_parts alter column data set storage external; -- it is compressed
