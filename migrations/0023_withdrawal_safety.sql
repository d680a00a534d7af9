-- What keeps money from leaving at once after an account was taken over: a hold of new circumstances, which the owner ends by a mailed link,
-- and the owner's own ways to stop a withdrawal.
alter table users
  add column password_reset_at      timestamptz, -- by a mailed link; a change with the old password does not count
  -- The owner says that a withdrawal was somebody else's. No withdrawal leaves until the password has been reset by a mailed link.
  add column withdrawals_stopped_at timestamptz;

alter table withdrawals
  add column held_until   timestamptz, -- cannot be sent before, unless the owner confirms it
  add column held_reasons text[] not null default '{}' check (held_reasons <@ array['new_number', 'password_reset', 'new_browser']),
  add column confirmed_at timestamptz, -- by the mailed link
  add column cancelled_at timestamptz, -- by the owner; nobody has handled it then
  add check (held_until is null or held_reasons <> '{}'),
  add check (cancelled_at is null or status = 'failed' and handled_by is null);
-- What is pending of one person, and what was sent to a number before.
create index withdrawals_user_pending on withdrawals (user_id) where status = 'pending';
create index withdrawals_user_sent on withdrawals (user_id, phone_number) where status = 'completed';

alter table mailed_tokens
  add column withdrawal_id uuid references withdrawals (id), -- that the link is about
  drop constraint mailed_tokens_purpose_check,
  add constraint mailed_tokens_purpose_check
    check (purpose in ('reset_password', 'verify_email', 'confirm_withdrawal', 'stop_withdrawal')),
  add check ((purpose in ('confirm_withdrawal', 'stop_withdrawal')) = (withdrawal_id is not null));
create index mailed_tokens_withdrawal on mailed_tokens (withdrawal_id, purpose) where withdrawal_id is not null;
