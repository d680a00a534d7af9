-- refuse_change is the trigger of append-only tables.
create or replace function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger: % of % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;
