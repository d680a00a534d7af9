-- A hidden post is not in the listing: the column joins those that the listing's indexes include, so that it is still read from them alone.
-- Like the next two migrations, this one builds indexes only, which keeps nobody from reading the tables.
create index posts_hidden on posts (hidden_by) where hidden_by is not null;
create index reviews_hidden on reviews (hidden_by) where hidden_by is not null;
create index posts_place_shown on posts (place, id) include (created_at, created_by, hidden_by);
create index posts_category_place_shown on posts (category, place, id) include (created_at, created_by, hidden_by);
drop index posts_place, posts_category_place;
alter index posts_place_shown rename to posts_place;
alter index posts_category_place_shown rename to posts_category_place;
