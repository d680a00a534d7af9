alter table users validate constraint users_mail_off_check;
alter table users validate constraint users_push_off_check;
alter table users validate constraint users_quiet_check;

-- Finds messages that somebody may have to be told of by mail. Building indexes keeps nobody from reading the tables.
create index conversations_untold_a on conversations (updated_at) where read_a < last_seq and told_a <= read_a;
create index conversations_untold_b on conversations (updated_at) where read_b < last_seq and told_b <= read_b;
