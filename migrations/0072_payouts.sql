-- Since when the admin of the claim has worked on a withdrawal. Renewing the claim does not change it. The next migration builds an index that
-- finds the payout that an admin has asked to book, whatever became of that.
alter table withdrawals add column claimed_at timestamptz;
