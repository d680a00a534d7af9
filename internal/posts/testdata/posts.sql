-- A large market for measuring: bench.posts posts of bench.sellers sellers. Words are made of syllables and as unevenly common as in a
-- language: the first few stand in most posts, the last of 50,000 in a few hundred of a million.
create function pg_temp.word(n integer) returns text language sql immutable as $$
  select s[1 + n % 40] || s[1 + n / 40 % 40] || s[1 + n / 1600 % 40]
    from (select array['ba','do','mi','sha','kor','len','tu','pra','vis','ne','go','hil','ram','po','zi','tek','la','sun','cho','fer',
                       'ki','mon','da','re','bul','wo','tin','jas','pel','ou','gra','ya','nik','ste','qua','rol','bhi','ex','ant','ly']) as a (s)
$$;
-- The argument keeps the planner from calling it once for all rows.
create function pg_temp.sentence(length integer, salt bigint) returns text language sql volatile as $$
  select string_agg(pg_temp.word((50000 * random() ^ 3)::integer), ' ') from generate_series(1, length) where salt is not null
$$;

insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
select gen_random_uuid(), pg_temp.word(n) || '_' || n, n || '@bench.example', '', 'BENCH' || n, '2026-01-01', '2026-01-01'
  from generate_series(1, current_setting('bench.sellers')::integer) n;

create temporary table sellers as
  select row_number() over () - 1 as number, id, username from users where referral_code like 'BENCH%';
create index on sellers (number);
analyze sellers;

create temporary table kinds as
  select row_number() over () - 1 as number, category, subcategory
    from (values ('Freelance Service', 'Logo Design'), ('Freelance Service', 'Web Development'), ('Freelance Service', 'Writing'),
                 ('Freelance Service', 'Marketing'), ('Physical Product', 'Mobile Phone'), ('Physical Product', 'Laptop'),
                 ('Physical Product', 'Books'), ('Online Asset', 'YouTube Channel'), ('Online Asset', 'Facebook Page'),
                 ('Online Asset', 'Domain Name')) k (category, subcategory);

insert into posts (id, created_by, title, description, price, category, subcategory, tags, created_at, updated_at, place, document)
select gen_random_uuid(), seller, title, description, 1 + (random() * 100000)::integer, category, subcategory, array[tag], at, at,
       (random() * 2147483647)::integer,
       ' ' || lower(concat_ws(' ', title, category, subcategory, replace(username, '_', chr(32) || chr(131072) || chr(131167) || chr(32)), tag, description))
  from (select n, s.id as seller, s.username, k.category, k.subcategory, pg_temp.sentence(5, n) as title,
               pg_temp.sentence(40, n) as description, pg_temp.word((50000 * random() ^ 3)::integer + n * 0) as tag,
               timestamptz '2026-01-01' + n * interval '1 second' as at
          from generate_series(1, current_setting('bench.posts')::integer) n
          join sellers s on s.number = n % current_setting('bench.sellers')::integer
          join kinds k on k.number = n % 10) made;
