-- In a migration of their own, after the one that adds the constraints has released its locks: reading whole tables here keeps nobody from
-- reading and writing them.
alter table mailed_tokens validate constraint mailed_tokens_purpose_check;
alter table withdrawals validate constraint withdrawals_held_reasons_check;
