-- Why a deposit failed, for texts in the user's language; reason stays the admin's own words. Failed deposits from before have none: those that
-- nobody handled expired. The next migration validates the constraints.
alter table deposits
  add column reason_code text,
  add constraint deposits_reason_code_check check (
    reason_code in ('not_found', 'other_amount', 'used_before', 'other_number', 'retracted', 'expired', 'other')) not valid,
  add constraint deposits_reason_code_failed check (reason_code is null or status = 'Failed') not valid;
