-- Whether a review counts in the average of the reviewed (docs/rules.md#reviews).
alter table reviews add column counts boolean not null default true;
update reviews r
   set counts = false
  from deals d
 where d.id = r.deal_id
   and (d.price < 100
        or exists (select from reviews e
                    where e.reviewer_id = r.reviewer_id and e.reviewed_id = r.reviewed_id
                      and e.created_at < r.created_at and e.created_at > r.created_at - interval '30 days'));
