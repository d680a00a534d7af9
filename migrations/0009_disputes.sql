-- Disputes about deals, decided by agreement of the parties or by an admin.

create table disputes (
  id            uuid primary key,
  deal_id       uuid not null references deals (id),
  opened_by     uuid not null references users (id),
  reason        text not null check (reason in ('not_delivered', 'not_as_agreed', 'broken', 'access_taken', 'not_released', 'asks_more',
                                                'abuse', 'other')),
  status        text not null default 'open' check (status in ('open', 'decided', 'appealed', 'settled', 'closed')),
  freezes       boolean not null default true, -- the deal's clock while it is open: the first of a party does
  created_at    timestamptz not null,
  answer_due_at timestamptz not null,
  answered_at   timestamptz, -- by the party who did not open it
  reminded_at   timestamptz, -- of the answer
  claimed_by    uuid references users (id),
  claimed_until timestamptz,
  appealed_by   uuid references users (id),
  appealed_at   timestamptz,
  carry_out_at  timestamptz, -- when the last decision is carried out; null while none waits for that
  ended_at      timestamptz,
  check ((status in ('settled', 'closed')) = (ended_at is not null)),
  check (carry_out_at is null or status = 'decided'),
  check ((claimed_by is null) = (claimed_until is null)),
  check ((appealed_by is null) = (appealed_at is null)),
  check (status <> 'appealed' or appealed_at is not null)
);
create unique index disputes_open on disputes (deal_id) where ended_at is null;
create index disputes_deal on disputes (deal_id, created_at);
create index disputes_status on disputes (status, created_at, id);
create index disputes_newest on disputes (created_at, id);
create index disputes_unanswered on disputes (answer_due_at, id) where status = 'open' and answered_at is null and reminded_at is null;
create index disputes_due on disputes (carry_out_at, id) where carry_out_at is not null;

-- Offers of the parties to divide the price. What the seller gets and the fee are the part that the
-- buyer does not get back, and the fee is 2% of it. The worker checks that the parts sum to the
-- price, which is in another table.
create table dispute_offers (
  id          uuid primary key,
  dispute_id  uuid not null references disputes (id),
  made_by     uuid not null references users (id),
  buyer_gets  bigint not null check (buyer_gets >= 0),
  seller_gets bigint not null check (seller_gets >= 0),
  fee         bigint not null check (fee >= 0),
  status      text not null default 'open' check (status in ('open', 'withdrawn', 'replaced', 'accepted')),
  created_at  timestamptz not null,
  constraint dispute_offers_fee_of_rest check (fee = ((seller_gets + fee) * 2 + 50) / 100)
);
create unique index dispute_offers_open on dispute_offers (dispute_id, made_by) where status = 'open';
create index dispute_offers_dispute on dispute_offers (dispute_id, created_at);

-- Decisions of admins: one, and after an appeal the final one of another admin.
create table dispute_decisions (
  id                 uuid primary key,
  dispute_id         uuid not null references disputes (id),
  final              boolean not null,
  decided_by         uuid not null references users (id),
  buyer_gets         bigint not null check (buyer_gets >= 0),
  seller_gets        bigint not null check (seller_gets >= 0),
  fee                bigint not null check (fee >= 0),
  reason             text not null,
  decided_at         timestamptz not null,
  due_at             timestamptz not null,
  buyer_accepted_at  timestamptz,
  seller_accepted_at timestamptz,
  carried_out_at     timestamptz,
  unique (dispute_id, final),
  constraint dispute_decisions_fee_of_rest check (fee = ((seller_gets + fee) * 2 + 50) / 100)
);

-- The thread of a dispute, written by its parties and admins; a line without an author is Amanat's.
create table dispute_entries (
  id          uuid primary key,
  dispute_id  uuid not null references disputes (id),
  author_id   uuid references users (id),
  kind        text not null check (kind in ('opened', 'answer', 'message', 'offer', 'offer_withdrawn', 'decision', 'accepted', 'appeal',
                                            'settled', 'closed')),
  text        text not null default '',
  links       text[] not null default '{}',
  offer_id    uuid references dispute_offers (id),
  decision_id uuid references dispute_decisions (id),
  at          timestamptz not null
);
create index dispute_entries_dispute on dispute_entries (dispute_id, at, id);
create index dispute_entries_author on dispute_entries (author_id) where text <> '' or links <> '{}';

-- Pictures that a seller delivers with, or that belong to an entry of a dispute. Whether a picture
-- is shown does not change who may see it: the row lasts as long as the picture.
create table deal_pictures (
  image_id   uuid primary key references images (id) on delete cascade,
  deal_id    uuid not null references deals (id),
  in_dispute boolean not null default false,
  event_id   uuid references deal_events (id),     -- the delivery that shows it; null until then
  entry_id   uuid references dispute_entries (id), -- the entry that shows it; null until then
  place      smallint not null default 0 check (place between 0 and 7), -- among those of the delivery or entry
  created_at timestamptz not null,
  constraint deal_pictures_place_of_use check (entry_id is null or in_dispute and event_id is null)
);
create index deal_pictures_deal on deal_pictures (deal_id, event_id);
create index deal_pictures_event on deal_pictures (event_id, place) where event_id is not null;
create index deal_pictures_entry on deal_pictures (entry_id, place) where entry_id is not null;
create index deal_pictures_unused on deal_pictures (created_at) where event_id is null and entry_id is null;
