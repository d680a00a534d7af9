-- A search within a category asks one index for both, instead of reading every match of the other categories.
create extension if not exists btree_gin;
create index posts_search on posts using gin (category, document gin_trgm_ops) with (fastupdate = off);
drop index posts_document;
