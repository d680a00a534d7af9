-- Pictures, re-encoded in a few sizes. Equal ones are kept once; who may see one depends on the
-- images that name it, not on the blob.

-- Files of pictures that are kept in an object storage instead of the database. A row is committed
-- before its object is written and deleted after it has been removed, so every object has a row. An
-- object's key contains the id and is never used again.
create table picture_objects (
  id     uuid primary key,
  digest bytea not null check (octet_length(digest) = 32), -- SHA-256 of the file
  size   integer not null check (size > 0),
  due_at timestamptz,                    -- when it is checked whether a variant uses it
  ending boolean not null default false, -- no variant uses it any more: the object is being removed
  constraint picture_objects_ending_is_not_due check (not ending or due_at is null)
);
create unique index picture_objects_digest on picture_objects (digest) where not ending;
create index picture_objects_due on picture_objects (due_at) where due_at is not null;
create index picture_objects_ending on picture_objects (id) where ending;

create table image_blobs (
  hash     bytea primary key check (octet_length(hash) = 32), -- SHA-256 of the largest variant
  saved_at timestamptz not null                               -- last time somebody sent it
);

create table image_variants (
  hash         bytea not null references image_blobs (hash) on delete cascade,
  width        integer not null check (width > 0),
  height       integer not null check (height > 0),
  content_type text not null check (content_type in ('image/jpeg', 'image/png')),
  data         bytea storage external, -- compressed already
  object       uuid references picture_objects (id), -- where the file is, instead of data
  primary key (hash, width),
  constraint image_variants_kept_once check (num_nonnulls(data, object) = 1)
);
create index image_variants_object on image_variants (object) where object is not null;

create table images (
  id              uuid primary key,
  blob_hash       bytea not null references image_blobs (hash),
  owner_id        uuid not null references users (id),
  conversation_id uuid, -- null: public
  width           integer not null,
  height          integer not null,
  created_at      timestamptz not null,
  released_at     timestamptz -- since when nothing shows it any more
);
create index images_blob on images (blob_hash);
create index images_released on images (released_at) where released_at is not null;
-- What a closed account has left.
create index images_owner on images (owner_id) where released_at is null;
