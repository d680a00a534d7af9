-- Open deals of disabled people: their clock stands still and an admin decides.
alter table deals
  add column suspended_at timestamptz, -- a party is disabled, since when the deal waits for an admin because of it
  add check (suspended_at is null or frozen_at is not null),
  add check (suspended_at is null or closed_at is null);

-- The admins' queue: what the clock or a suspension has brought there, the longest wait first.
drop index deals_escalated;
create index deals_undecided on deals (least(escalated_at, suspended_at), id) where escalated_at is not null or suspended_at is not null;
create index deals_suspended on deals (id) where suspended_at is not null;

-- The clock moves no money within 24 hours of its warning.
update deals set next_action_at = greatest(next_action_at, warned_at + interval '24 hours')
 where warned_at is not null and next_action in ('complete', 'refund', 'refund_unanswered');
