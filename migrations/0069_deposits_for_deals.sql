-- The deal that a reported payment is for, if its user says so.
alter table deposits
  add column deal_id uuid,
  add constraint deposits_deal_id_fkey foreign key (deal_id) references deals (id) not valid;
