-- Creates the conversations of the chat benchmark (docs/testing.md#targets): user 1 has
-- @conversations conversations, is user_a in half of them and user_b in the others, and has not
-- read a tenth of them. Each conversation has @each messages, which messages.sql inserts.
with people as (
  insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
  select case when n = 1 then '80000000-0000-7000-8000-000000000000' else md5(n::text)::uuid end, 'person' || n,
         'person' || n || '@example.com', '', 'code' || n, '2026-01-01Z', '2026-01-01Z'
    from generate_series(1, @conversations::int + 1) as n
  returning id, username
)
insert into conversations (id, user_a, user_b, started_by, last_seq, answered, read_a, read_b, created_at, updated_at)
select md5('conversation of ' || other.username)::uuid, least(me.id, other.id), greatest(me.id, other.id), other.id, @each::bigint, true,
       @each::bigint - unread.n, @each::bigint - unread.n, '2026-01-01Z',
       '2026-02-01Z'::timestamptz + (hashtext(other.username) & 1048575) * interval '1 second'
  from people me
  join people other on other.id <> me.id
 cross join lateral (select case when hashtext(other.username) % 10 = 0 then 1 else 0 end as n) as unread
 where me.username = 'person1';
