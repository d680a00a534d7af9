-- Service posts and their search.

create extension if not exists btree_gin;

create table posts (
  id          uuid primary key,
  created_by  uuid not null references users (id),
  title       text not null check (char_length(title) between 1 and 80),
  description text not null,
  price       bigint not null check (price between 1 and 100000000), -- cents
  category    text not null check (category in ('Freelance Service', 'Physical Product', 'Online Asset')),
  subcategory text not null,
  image_id    uuid references images (id), -- the first picture
  tags        text[] not null,
  facts       jsonb not null default '{}', -- by the keys of posts.AllFacts
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  place       integer not null, -- random: the order of the public listing, which each visitor enters at another point
  document    text not null,    -- what a search looks at, as internal/domain/posts spells it
  hidden_by   uuid references moderation_cases (id)
);
create index posts_user on posts (created_by, created_at desc, id desc);
create index posts_image on posts (image_id) where image_id is not null;
create index posts_hidden on posts (hidden_by) where hidden_by is not null;
-- The listing is read from these indexes alone.
create index posts_place on posts (place, id) include (created_at, created_by, hidden_by);
create index posts_category_place on posts (category, place, id) include (created_at, created_by, hidden_by);
-- Filtered listings read posts in the order of one of these or of the primary key.
create index posts_price on posts (price, id);
create index posts_subcategory on posts (subcategory, id);
create index posts_subcategory_price on posts (subcategory, price, id);
-- One index for both, so that a search within a category does not read the matches of the others.
-- Without a list of pending entries a search is equally fast at any time; writing a post may take a
-- little longer.
create index posts_search on posts using gin (category, document gin_trgm_ops) with (fastupdate = off);

-- What the words of posts begin with. A search that finds nothing looks for words that differ in a
-- letter here, since each of the patterns for them reads much of posts_search. A worker refreshes
-- it, so that words of deleted posts do not stay.
create materialized view post_words as
  select distinct left(word, 21) as word from posts, string_to_table(document, ' ') word where char_length(word) >= 4;
create unique index post_words_word on post_words (word); -- a concurrent refresh needs it
create index post_words_search on post_words using gin (word gin_trgm_ops) with (fastupdate = off);

-- The pictures of a post after its first, in their order.
create table post_pictures (
  post_id  uuid not null references posts (id) on delete cascade,
  place    smallint not null check (place between 2 and 8),
  image_id uuid not null references images (id),
  primary key (post_id, place)
);
create unique index post_pictures_image on post_pictures (image_id);

-- How often others have seen a post, each reader once a day. Apart from the posts, whose index-only
-- scans end where rows change.
create table post_views (
  post_id uuid primary key references posts (id) on delete cascade,
  seen    bigint not null
);

-- Posts that users have saved. A row outlives its post until its user has been told that it is
-- gone.
create table saved_posts (
  user_id    uuid not null references users (id),
  post_id    uuid not null,
  price      bigint not null, -- when it was saved
  told_price bigint not null, -- the lowest that its user knows of
  told_at    timestamptz,     -- when its user was last told of a lower price
  created_at timestamptz not null,
  primary key (user_id, post_id)
);
create index saved_posts_post on saved_posts (post_id, user_id);

-- Searches that users have saved, to be told of new posts that match.
create table saved_searches (
  id          uuid primary key,
  user_id     uuid not null references users (id),
  search      text not null,     -- as it was typed
  category    text not null,     -- '' for all
  subcategory text not null,     -- '' for all
  min_price   bigint not null,
  max_price   bigint not null,   -- 0 for none
  facts       text not null,     -- as in the address of the listing
  frequency   text not null check (frequency in ('soon', 'daily', 'off')),
  created_at  timestamptz not null,
  patterns    text[] not null,   -- of the words, for LIKE
  key         bytea not null,    -- the beginning of the longest word, by which the search is found
  facts_path  jsonpath not null, -- selects the facts of posts that match
  unique (user_id, patterns, category, subcategory, min_price, max_price, facts)
);

-- Posts that are to be matched with the saved searches. The transaction that publishes a post adds
-- its row, so none is missed, however late it commits.
create table new_posts (
  post_id uuid primary key references posts (id) on delete cascade
);

-- Posts that match a user's searches and that the user is to be told of, each once.
create table found_posts (
  user_id   uuid not null references users (id),
  post_id   uuid not null,
  search_id uuid not null,
  found_at  timestamptz not null,
  primary key (user_id, post_id)
);
