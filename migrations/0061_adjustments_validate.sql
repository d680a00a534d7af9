alter table ledger.accounts validate constraint accounts_kind_check;
