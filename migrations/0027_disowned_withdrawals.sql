-- The owner says that somebody else asked for the withdrawal. It is never sent: an admin rejects it, or the owner cancels it.
alter table withdrawals add column disowned_at timestamptz;
update withdrawals w set disowned_at = u.withdrawals_stopped_at
  from users u
 where u.id = w.user_id and w.status = 'pending' and w.requested_at <= u.withdrawals_stopped_at;
