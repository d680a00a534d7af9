-- What an operator has stopped for now. The api reads it every few seconds; the audit log keeps the past.
create table pauses (
  area      text primary key check (area in ('money', 'deposits', 'withdrawals', 'signups')),
  reason    text not null,
  paused_at timestamptz not null
);
