-- Whether a support request or a dispute freezes the deal's clock while it is open: the first of a party does.
alter table support_requests add column freezes boolean not null default true;
alter table disputes add column freezes boolean not null default true;
update support_requests r
   set freezes = false
 where exists (select from support_requests e
                where e.deal_id = r.deal_id and e.user_id = r.user_id and e.id <> r.id and e.closed_at <= r.created_at);
update disputes x
   set freezes = false
 where exists (select from disputes e
                where e.deal_id = x.deal_id and e.opened_by = x.opened_by and e.id <> x.id and e.ended_at <= x.created_at);
