-- no transaction
drop index concurrently if exists image_variants_object;
create index concurrently image_variants_object on image_variants (object) where object is not null;
