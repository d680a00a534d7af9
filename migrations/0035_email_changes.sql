-- A change of an account's address: it applies with a link mailed to the new address, and a link mailed to the old one undoes it.
create table email_changes (
  id           uuid primary key,
  user_id      uuid not null references users (id),
  old_email    text not null,
  new_email    text not null,
  old_verified boolean not null, -- only then is the old address told, and may undo the change
  requested_at timestamptz not null,
  applied_at   timestamptz,
  ended_at     timestamptz       -- withdrawn, replaced by another, or undone
);
create unique index email_changes_pending on email_changes (user_id) where applied_at is null and ended_at is null;
create index email_changes_user on email_changes (user_id);
-- Old addresses stay reserved for their owners while they may undo the change.
create index email_changes_reserved on email_changes (lower(old_email)) where applied_at is not null and ended_at is null and old_verified;
create index email_changes_requested on email_changes (requested_at);

alter table users add column email_changed_at timestamptz; -- withdrawals are held afterwards as after a password reset

alter table mailed_tokens
  add column email_change_id uuid references email_changes (id),
  drop constraint mailed_tokens_purpose_check,
  add constraint mailed_tokens_purpose_check check (
    purpose in ('reset_password', 'verify_email', 'confirm_withdrawal', 'stop_withdrawal', 'change_email', 'undo_email')) not valid,
  add constraint mailed_tokens_email_change_check
    check ((purpose in ('change_email', 'undo_email')) = (email_change_id is not null)) not valid;
alter table mailed_tokens validate constraint mailed_tokens_purpose_check;
alter table mailed_tokens validate constraint mailed_tokens_email_change_check;
create index mailed_tokens_email_change on mailed_tokens (email_change_id) where email_change_id is not null;

alter table withdrawals
  drop constraint withdrawals_held_reasons_check,
  add constraint withdrawals_held_reasons_check
    check (held_reasons <@ array['new_number', 'password_reset', 'new_browser', 'factor_reset', 'email_changed']) not valid;
alter table withdrawals validate constraint withdrawals_held_reasons_check;
