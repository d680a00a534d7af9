-- Deals, from the offer to the review.

create table deals (
  id                     uuid primary key,
  buyer_id               uuid not null references users (id),
  seller_id              uuid not null references users (id),
  created_by             uuid not null references users (id),
  -- What the two agree on.
  price                  bigint not null check (price between 1 and 100000000), -- cents
  fee                    bigint not null check (fee >= 0 and fee <= price),     -- cents
  description            text not null,
  described_by           uuid references users (id), -- who wrote the description, if not the creator
  description_erased     boolean not null default false,
  delivery_days          smallint not null check (delivery_days between 1 and 99),
  inspection_days        smallint not null default 3 check (inspection_days between 1 and 30),
  terms                  smallint not null default 1, -- counts the terms that the two have agreed on; payments name them
  counteroffer_by        uuid references users (id),  -- who made the open counter-offer
  status                 text not null default 'Pending' check (status in
                           ('Pending', 'Active', 'Late', 'Delivered', 'Completed', 'Cancelled', 'Cancelled by Buyer', 'Cancelled by Seller')),
  created_at             timestamptz not null,
  due_at                 timestamptz not null,
  -- When the seller agreed to the deal: at its creation, if they made it; otherwise by accepting or
  -- delivering it.
  accepted_at            timestamptz,
  activated_at           timestamptz, -- paid
  delivered              boolean not null default false,
  delivered_at           timestamptz, -- of the delivery that stands
  first_delivered_at     timestamptz, -- kept when the delivery is reset
  -- What the delivery that stands has sent by courier; '': nothing.
  courier                text not null default '',
  tracking_number        text not null default '',
  arrived_at             timestamptz, -- when the buyer said that it arrived
  reset_at               timestamptz, -- of the reset that no delivery has followed
  cancellation_requested boolean not null default false,
  cancellation_asked_at  timestamptz, -- of the request that is open
  cancellation_declined  boolean not null default false,
  requests               smallint not null default 0, -- cancellation requests and resets together
  -- What the clock does next, and when.
  next_action            text check (next_action in ('expire', 'complete', 'refund', 'refund_unanswered', 'escalate')),
  next_action_at         timestamptz,
  warned_at              timestamptz, -- when both were told that next_action_at is a day away
  reminded_at            timestamptz, -- when both were last reminded before the clock acts
  frozen_at              timestamptz, -- since when the clock stands still
  frozen_for             interval not null default '0',
  suspended_at           timestamptz, -- since when the deal waits for an admin because a party is disabled
  escalated_at           timestamptz, -- since when it waits for an admin because of the clock
  -- The end.
  closed_at              timestamptz,
  close_reason           text,
  refunded_amount        bigint,      -- cents that went back to the buyer
  settled_fee            bigint,      -- cents; null unless the price was divided by a dispute
  removed_at             timestamptz, -- declined or withdrawn while Pending
  check (buyer_id <> seller_id),
  check (created_by in (buyer_id, seller_id)),
  constraint deals_fee_of_price check (fee = (price * 2 + 50) / 100), -- 2%, rounded half up
  constraint deals_counteroffer_pending check (counteroffer_by is null or status = 'Pending' and removed_at is null),
  check ((status = 'Pending') = (activated_at is null)),
  check (status <> 'Delivered' or delivered),
  check (cancellation_requested = (cancellation_asked_at is not null)),
  check ((next_action is null) = (next_action_at is null)),
  check (closed_at is null or next_action is null),
  check (suspended_at is null or frozen_at is not null),
  check (suspended_at is null or closed_at is null),
  check ((status in ('Completed', 'Cancelled', 'Cancelled by Buyer', 'Cancelled by Seller')) = (closed_at is not null)),
  constraint deals_paid_stays check (removed_at is null or status = 'Pending')
);
create index deals_buyer on deals (buyer_id, created_at desc, id desc) where removed_at is null;
create index deals_seller on deals (seller_id, created_at desc, id desc) where removed_at is null;
create index deals_status on deals (status, created_at desc, id desc);
-- The clock.
create index deals_clock on deals (next_action_at) where next_action is not null and frozen_at is null;
create index deals_turn_late on deals (due_at) where status = 'Active';
-- The admins' queue, longest wait first.
create index deals_undecided on deals (least(escalated_at, suspended_at), id) where escalated_at is not null or suspended_at is not null;
create index deals_suspended on deals (id) where suspended_at is not null;
-- What waits for a seller is bounded by pair and by buyer.
create index deals_unaccepted on deals (buyer_id, seller_id) where accepted_at is null and removed_at is null and closed_at is null;
-- What an account may pay depends on the last 24 hours.
create index deals_paid on deals (buyer_id, activated_at) include (price) where activated_at is not null;
-- What the record of a user counts, with the condition of deal_counts, by partner, so that
-- different partners are found without reading all deals. The last index is for how fast a seller
-- delivers.
create index deals_counted_buyer on deals (buyer_id, seller_id) include (price, refunded_amount)
  where status = 'Completed' and accepted_at is not null and price >= 100 and coalesce(2 * refunded_amount, 0) <= price;
create index deals_counted_seller on deals (seller_id, buyer_id) include (price, refunded_amount)
  where status = 'Completed' and accepted_at is not null and price >= 100 and coalesce(2 * refunded_amount, 0) <= price;
create index deals_counted_delivered on deals (seller_id, closed_at desc) include (activated_at, first_delivered_at)
  where status = 'Completed' and accepted_at is not null and price >= 100 and coalesce(2 * refunded_amount, 0) <= price
    and first_delivered_at is not null;

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
  created_at      timestamptz not null,
  constraint deal_counteroffers_fee_of_price check (fee = (price * 2 + 50) / 100)
);
create unique index deal_counteroffers_open on deal_counteroffers (deal_id) where status = 'open';
create index deal_counteroffers_deal on deal_counteroffers (deal_id, created_at);
create index deal_counteroffers_maker on deal_counteroffers (made_by) where description <> '';

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

-- Deals that wait for somebody who has the link.
create table deal_invites (
  id              uuid primary key,
  code            text not null unique,
  maker_id        uuid not null references users (id),
  maker_buys      boolean not null, -- otherwise the maker sells
  price           bigint not null check (price between 1 and 100000000), -- cents
  description     text not null,
  delivery_days   smallint not null check (delivery_days between 1 and 99),
  inspection_days smallint not null check (inspection_days between 1 and 30),
  email           text, -- of whom it is for; deleted when the link ends
  phone           text,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  revoked_at      timestamptz,
  deal_id         uuid unique references deals (id), -- once somebody has joined
  check (expires_at > created_at),
  check (revoked_at is null or deal_id is null),
  check (revoked_at is null and deal_id is null or email is null and phone is null)
);
create index deal_invites_maker on deal_invites (maker_id, created_at desc, id desc);
create index deal_invites_expiry on deal_invites (expires_at);

-- Pages that prove that a deal's money is held.
create table deal_proofs (
  deal_id    uuid primary key references deals (id),
  code       text not null unique, -- a new one each time the page is switched on
  shown      boolean not null,
  changed_by uuid not null references users (id),
  changed_at timestamptz not null
);

create table support_requests (
  id                uuid primary key,
  deal_id           uuid not null references deals (id),
  user_id           uuid not null references users (id),
  issue_description text not null,
  freezes           boolean not null default true, -- the deal's clock while it is open: the first of a party does
  created_at        timestamptz not null,
  closed_at         timestamptz,
  closed_by         uuid references users (id),
  answer            text not null default '', -- both parties read it
  check ((closed_at is null) = (closed_by is null))
);
-- One request at a time on a deal and side.
create unique index support_requests_open on support_requests (deal_id, user_id) where closed_at is null;
create index support_requests_created on support_requests (created_at desc, id desc);

-- What is owed to users who brought a party of a completed deal. An operation of its own credits
-- it.
create table referral_rewards (
  id          uuid primary key,
  deal_id     uuid not null references deals (id),
  referred_id uuid not null references users (id),
  referrer_id uuid not null references users (id),
  amount      bigint not null check (amount > 0), -- cents
  created_at  timestamptz not null,
  credited_at timestamptz,
  unique (deal_id, referrer_id) -- once if one user brought both parties
);
create index referral_rewards_referrer on referral_rewards (referrer_id);
create index referral_rewards_owed on referral_rewards (created_at, id) where credited_at is null;

-- What buyers say about sellers, one review for each completed deal.
create table reviews (
  id          uuid primary key,
  deal_id     uuid not null references deals (id),
  reviewer_id uuid not null references users (id),
  reviewed_id uuid not null references users (id),
  rating      smallint not null check (rating between 1 and 5),
  comment     text not null,
  counts      boolean not null default true, -- in the average of the reviewed (docs/rules.md#reviews)
  created_at  timestamptz not null,
  hidden_by   uuid references moderation_cases (id),
  check (reviewer_id <> reviewed_id)
);
create unique index reviews_deal_key on reviews (deal_id);
create index reviews_reviewed on reviews (reviewed_id, created_at desc, id desc);
-- What the listing shows of a seller.
create index reviews_counted on reviews (reviewed_id, created_at desc) include (rating) where hidden_by is null and counts;
create index reviews_hidden on reviews (hidden_by) where hidden_by is not null;
