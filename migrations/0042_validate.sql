-- The constraints that were added as not valid. In a migration of their own, after the one that adds them has released its locks: reading
-- whole tables here keeps nobody from reading and writing them.
alter table users validate constraint users_closed_check;
alter table users validate constraint users_erased_check;
alter table messages validate constraint messages_check;
alter table withdrawals validate constraint withdrawals_phone_number_check;
alter table mailed_tokens validate constraint mailed_tokens_purpose_check;
alter table mailed_tokens validate constraint mailed_tokens_case_check;
