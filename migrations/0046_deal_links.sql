-- Deals that wait for somebody who has the link, and pages that prove that a deal's money is held.
create table deal_invites (
  id              uuid primary key,
  code            text not null unique,
  maker_id        uuid not null references users (id),
  maker_buys      boolean not null, -- else the maker sells
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

create table deal_proofs (
  deal_id    uuid primary key references deals (id),
  code       text not null unique, -- a new one each time the page is switched on
  shown      boolean not null,
  changed_by uuid not null references users (id),
  changed_at timestamptz not null
);
