-- In a migration of their own, after the one that adds the constraints has released its locks.
alter table image_variants validate constraint image_variants_object_fkey;
alter table image_variants validate constraint image_variants_kept_once;
