-- Pictures, re-encoded, in a few sizes. Equal ones are kept once; who may see one hangs on the images that name it, not on the blob.
create table image_blobs (
  hash     bytea primary key check (octet_length(hash) = 32), -- SHA-256 of the largest variant
  saved_at timestamptz not null                               -- last time somebody sent it
);

create table image_variants (
  hash         bytea not null references image_blobs (hash) on delete cascade,
  width        integer not null check (width > 0),
  height       integer not null check (height > 0),
  content_type text not null check (content_type in ('image/jpeg', 'image/png')),
  data         bytea not null,
  primary key (hash, width)
);
alter table image_variants alter column data set storage external; -- compressed already

create table images (
  id              uuid primary key,
  blob_hash       bytea not null references image_blobs (hash),
  owner_id        uuid not null references users (id),
  conversation_id uuid, -- null: public
  width           integer not null,
  height          integer not null,
  created_at      timestamptz not null,
  released_at     timestamptz -- nothing shows it any more since
);
create index images_blob on images (blob_hash);
create index images_released on images (released_at) where released_at is not null;
