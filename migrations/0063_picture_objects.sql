-- Files of pictures that are kept in an object storage instead of the database. A row is committed before its object is written and deleted
-- after it has been removed, so every object has a row. An object's key contains the id and is never used again.
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

alter table image_variants
  alter column data drop not null,
  add column object uuid, -- where the file is, instead of data
  add constraint image_variants_object_fkey foreign key (object) references picture_objects (id) not valid,
  add constraint image_variants_kept_once check (num_nonnulls(data, object) = 1) not valid;
