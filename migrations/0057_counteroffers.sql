-- Other terms that a party proposes for a deal that is not paid yet.
create table deal_counteroffers (
  id              uuid primary key,
  deal_id         uuid not null references deals (id),
  made_by         uuid not null references users (id),
  price           bigint not null check (price between 1 and 100000000),
  fee             bigint not null check (fee between 0 and price),
  description     text not null,
  delivery_days   smallint not null check (delivery_days between 1 and 99),
  inspection_days smallint not null check (inspection_days between 1 and 30),
  status          text not null default 'open' check (status in ('open', 'accepted', 'declined', 'withdrawn', 'replaced', 'closed')),
  created_at      timestamptz not null
);
create unique index deal_counteroffers_open on deal_counteroffers (deal_id) where status = 'open';
create index deal_counteroffers_deal on deal_counteroffers (deal_id, created_at);
create index deal_counteroffers_maker on deal_counteroffers (made_by) where description <> '';

alter table deals
  add column terms smallint not null default 1, -- counts the terms that the two have agreed on; payments name them
  add column counteroffer_by uuid, -- who made the open counter-offer
  add column described_by uuid, -- who wrote the description, if not the creator
  add constraint deals_counteroffer_by_fkey foreign key (counteroffer_by) references users (id) not valid,
  add constraint deals_described_by_fkey foreign key (described_by) references users (id) not valid,
  add constraint deals_counteroffer_pending check (counteroffer_by is null or status = 'Pending' and removed_at is null) not valid;
