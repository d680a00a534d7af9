-- What buyers say about sellers, one review a completed deal.
create table reviews (
  id          uuid primary key,
  deal_id     uuid not null references deals (id),
  reviewer_id uuid not null references users (id),
  reviewed_id uuid not null references users (id),
  rating      smallint not null check (rating between 1 and 5),
  comment     text not null,
  created_at  timestamptz not null,
  check (reviewer_id <> reviewed_id)
);
create unique index reviews_deal_key on reviews (deal_id);
create index reviews_reviewed on reviews (reviewed_id, created_at desc, id desc);
