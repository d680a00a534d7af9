-- The rest of a deal's life: requests, the clock, support, rewards (DESIGN §3 "Deals").

-- The clock acts too; it is nobody.
alter table operations alter column actor_id drop not null;

alter table deals
  add column requests               smallint not null default 0, -- cancellation requests and resets together
  add column cancellation_asked_at  timestamptz,                 -- of the request that is open
  add column reset_at               timestamptz,                 -- of the reset that no delivery has followed
  add column next_action            text check (next_action in ('expire', 'complete', 'refund', 'refund_unanswered', 'escalate')),
  add column next_action_at         timestamptz,
  add column warned_at              timestamptz, -- both were told that next_action_at is a day away
  add column frozen_at              timestamptz, -- the clock stands still since
  add column frozen_for             interval not null default '0',
  add column escalated_at           timestamptz, -- waits for an admin's decision
  add column close_reason           text,
  add check ((next_action is null) = (next_action_at is null)),
  add check (cancellation_requested = (cancellation_asked_at is not null)),
  add check (closed_at is null or next_action is null);
update deals set next_action = 'expire', next_action_at = due_at where status = 'Pending' and removed_at is null;
update deals set next_action = 'complete', next_action_at = delivered_at + inspection_days * interval '1 day' where status = 'Delivered';
update deals set next_action = 'refund', next_action_at = greatest(due_at, activated_at + interval '24 hours') + interval '14 days'
 where status in ('Active', 'Late');
create index deals_clock on deals (next_action_at) where next_action is not null and frozen_at is null;
create index deals_turn_late on deals (due_at) where status = 'Active';
create index deals_status on deals (status, created_at desc, id desc);
create index deals_escalated on deals (escalated_at) where escalated_at is not null;

create table support_requests (
  id                uuid primary key,
  deal_id           uuid not null references deals (id),
  user_id           uuid not null references users (id),
  issue_description text not null,
  created_at        timestamptz not null,
  closed_at         timestamptz,
  closed_by         uuid references users (id),
  check ((closed_at is null) = (closed_by is null))
);
-- One conversation with support at a time on a deal and side: further words go to the open one's admin.
create unique index support_requests_open on support_requests (deal_id, user_id) where closed_at is null;
create index support_requests_created on support_requests (created_at desc, id desc);

-- What is owed to who brought a party of a completed deal. Credited by its own operation.
create table referral_rewards (
  id          uuid primary key,
  deal_id     uuid not null references deals (id),
  referred_id uuid not null references users (id),
  referrer_id uuid not null references users (id),
  amount      bigint not null check (amount > 0), -- cents
  created_at  timestamptz not null,
  credited_at timestamptz,
  unique (deal_id, referrer_id) -- once if both parties were brought by one
);
create index referral_rewards_referrer on referral_rewards (referrer_id);
create index users_referred_by on users (referred_by) where referred_by is not null;
