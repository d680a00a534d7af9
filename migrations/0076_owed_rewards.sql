-- no transaction
drop index concurrently if exists referral_rewards_owed;
create index concurrently referral_rewards_owed on referral_rewards (created_at, id) where credited_at is null;
