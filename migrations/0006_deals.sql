create table deals (
  id                     uuid primary key,
  buyer_id               uuid not null references users (id),
  seller_id              uuid not null references users (id),
  created_by             uuid not null references users (id),
  price                  bigint not null check (price between 1 and 100000000), -- cents
  fee                    bigint not null check (fee >= 0 and fee <= price),     -- cents, as both agreed
  description            text not null,
  delivery_days          smallint not null check (delivery_days between 1 and 99),
  inspection_days        smallint not null default 3 check (inspection_days between 1 and 30),
  status                 text not null default 'Pending' check (status in
                           ('Pending', 'Active', 'Late', 'Delivered', 'Completed', 'Cancelled', 'Cancelled by Buyer', 'Cancelled by Seller')),
  created_at             timestamptz not null,
  due_at                 timestamptz not null,
  activated_at           timestamptz,
  delivered              boolean not null default false,
  delivered_at           timestamptz, -- of the delivery that stands
  first_delivered_at     timestamptz, -- kept for ever
  cancellation_requested boolean not null default false,
  cancellation_declined  boolean not null default false,
  closed_at              timestamptz,
  removed_at             timestamptz, -- declined or withdrawn while Pending
  check (buyer_id <> seller_id),
  check (created_by in (buyer_id, seller_id)),
  check ((status = 'Pending') = (activated_at is null)),
  check ((status in ('Completed', 'Cancelled', 'Cancelled by Buyer', 'Cancelled by Seller')) = (closed_at is not null)),
  check (removed_at is null or status = 'Pending'), -- what was paid stays
  check (status <> 'Delivered' or delivered)
);
create index deals_buyer on deals (buyer_id, created_at desc, id desc) where removed_at is null;
create index deals_seller on deals (seller_id, created_at desc, id desc) where removed_at is null;

-- The timeline. kind and params are rendered in the reader's language.
create table deal_events (
  id       uuid primary key,
  deal_id  uuid not null references deals (id),
  kind     text not null,
  actor_id uuid references users (id), -- null: the clock
  params   jsonb not null,
  at       timestamptz not null
);
create index deal_events_deal on deal_events (deal_id, at, id);
