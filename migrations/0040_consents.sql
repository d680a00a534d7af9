-- Which version of the terms a user accepted, when, and from which address. Who signed up before this table existed accepted the first
-- version, at users.terms_accepted_at.
create table consents (
  user_id     uuid not null references users (id),
  version     text not null,
  accepted_at timestamptz not null,
  address     text not null, -- of the request
  primary key (user_id, version)
);
