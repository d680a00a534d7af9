-- Chat: one conversation for each pair of users.

-- Everything that an inbox shows of a conversation is in its row, so that sending and reading write
-- one row and listing needs one index.
create table conversations (
  id         uuid primary key,
  user_a     uuid not null references users (id),
  user_b     uuid not null references users (id),
  started_by uuid not null references users (id),
  answered   boolean not null default false, -- both have written: only then does either see when the other is online
  -- The post that it is about: the last one that it was opened from. No foreign key: a deleted post
  -- leaves its id behind, and deleting a post does not search the conversations.
  post_id    uuid,
  last_seq   bigint not null default 0, -- number of the last message; they are numbered from 1 without gaps
  read_a     bigint not null default 0, -- up to which number user_a has read; one's own messages are read
  read_b     bigint not null default 0,
  told_a     bigint not null default 0, -- up to which number user_a was told by mail that messages are unread
  told_b     bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null, -- of the last message
  constraint conversations_pair unique (user_a, user_b),
  check (user_a < user_b),
  check (started_by in (user_a, user_b)),
  check (read_a <= last_seq and read_b <= last_seq)
) with (fillfactor = 80);
-- The other side of an empty conversation does not see it. Both columns are included, so that
-- counting an inbox reads indexes alone.
create index conversations_inbox_a on conversations (user_a, updated_at desc, id desc) include (last_seq, started_by);
create index conversations_inbox_b on conversations (user_b, updated_at desc, id desc) include (last_seq, started_by);
create index conversations_unread_a on conversations (user_a) where read_a < last_seq;
create index conversations_unread_b on conversations (user_b) where read_b < last_seq;
create index conversations_untold_a on conversations (updated_at) where read_a < last_seq and told_a <= read_a;
create index conversations_untold_b on conversations (updated_at) where read_b < last_seq and told_b <= read_b;

-- images is created before the conversations, whose messages refer to it.
alter table images add foreign key (conversation_id) references conversations (id);

create table messages (
  id              uuid not null,
  conversation_id uuid not null references conversations (id),
  seq             bigint not null,
  sender_id       uuid not null references users (id),
  text            text not null check (char_length(text) <= 4000),
  image_id        uuid references images (id),
  deal_event_id   uuid references deal_events (id), -- a delivery or a request for changes, which is shown here, too
  client_key      text, -- by which the pages of the sender recognize it; null without an Idempotency-Key
  created_at      timestamptz not null,
  erased          boolean not null default false,
  primary key (conversation_id, seq),
  constraint messages_id_key unique (id),
  check (erased or text <> '' or image_id is not null or deal_event_id is not null)
);
create index messages_image on messages (image_id) where image_id is not null; -- removing an image asks who shows it
