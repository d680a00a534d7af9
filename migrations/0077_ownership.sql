-- Proofs that a call comes from the owner of the account: a code that was mailed and entered in a session, a second factor that is not new,
-- and the browser in which the account was opened, which is never a new one.
alter table users add column factor_added_at timestamptz; -- null: no factor was added since this column exists
alter table sessions add column mail_confirmed_at timestamptz;
alter table known_browsers add column at_signup boolean not null default false;
alter table mailed_tokens
  drop constraint mailed_tokens_purpose_check,
  add constraint mailed_tokens_purpose_check check (
    purpose in ('reset_password', 'verify_email', 'confirm_withdrawal', 'stop_withdrawal', 'change_email', 'undo_email', 'appeal',
                'confirm_owner', 'remove_factor')) not valid;
alter table withdrawals
  drop constraint withdrawals_held_reasons_check,
  add constraint withdrawals_held_reasons_check check (
    held_reasons <@ array['new_number', 'password_reset', 'new_browser', 'factor_reset', 'email_changed', 'factor_added']) not valid;
