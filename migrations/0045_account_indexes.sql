-- Who is suspended, and who is disabled but not erased: closed accounts are disabled for ever, and what they had published is gone.
create index users_suspended on users (suspended_by) where suspended_by is not null;
create index users_disabled_present on users (id) where disabled_at is not null and erased_at is null;
drop index users_disabled;
alter index users_disabled_present rename to users_disabled;

-- What a closed account has left.
create index images_owner on images (owner_id) where released_at is null;
create index notifications_about on notifications (about_user_id) where about_user_id is not null;
create index operations_withdrawals on operations (actor_id) where kind = 'withdrawal_hold';
create index mailed_tokens_case on mailed_tokens (case_id) where case_id is not null;

-- What an account with limits is about to pay or withdraw.
create index operations_pending_actor on operations (actor_id, kind) where status = 'pending' and actor_id is not null;
