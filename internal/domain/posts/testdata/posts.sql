-- Creates a large market for benchmarks: bench.posts posts of bench.sellers sellers. Word
-- frequencies are skewed as in natural language: of 50,000 words, the first occur in most posts,
-- the last in a few hundred of a million. Sentences are drawn from a pool, which is faster than
-- generating each one.
create function pg_temp.syllable(h integer) returns text language sql immutable as $$
  select substr('bcdfghklmnprstvw', 1 + h % 16, 1) || substr('aeiou', 1 + h / 16 % 5, 1) ||
         (array['', '', 'n', 'r', 's', 'l', 'm', 't'])[1 + h / 80 % 8]
$$;
create temporary table words as
  select n as number, pg_temp.syllable(h) || pg_temp.syllable(h / 640) || case when n > 300 then pg_temp.syllable(h / 409600) else '' end as word
    from (select n, hashint4(n) & 2147483647 as h from generate_series(0, 50000) n) numbered;
create unique index on words (number);

create temporary table sentences as
  select n / 10 as number, string_agg(word, ' ') as sentence
    from (select n, (50000 * random() ^ 3)::integer as number from generate_series(0, 999999) n) drawn join words using (number)
   group by 1;
create unique index on sentences (number);

insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
select gen_random_uuid(), word || '_' || number, number || '@bench.example', '', 'BENCH' || number, '2026-01-01', '2026-01-01'
  from words where number between 1 and current_setting('bench.sellers')::integer;

create temporary table sellers as
  select substr(referral_code, 6)::integer as number, id, username from users where referral_code like 'BENCH%';
create temporary table kinds as
  select row_number() over () - 1 as number, category, subcategory
    from (values ('Freelance Service', 'Logo Design'), ('Freelance Service', 'Web Development'), ('Freelance Service', 'Writing'),
                 ('Freelance Service', 'Marketing'), ('Physical Product', 'Mobile Phone'), ('Physical Product', 'Laptop'),
                 ('Physical Product', 'Books'), ('Online Asset', 'YouTube Channel'), ('Online Asset', 'Facebook Page'),
                 ('Online Asset', 'Domain Name')) k (category, subcategory);
analyze words, sentences, sellers, kinds;

insert into posts (id, created_by, title, description, price, category, subcategory, tags, facts, created_at, updated_at, place, document)
select uuidv7(at - clock_timestamp()), s.id, title.word || ' ' || tag.word, d.text, 1 + n % 100000, k.category, k.subcategory, array[tag.word],
       case when k.subcategory in ('YouTube Channel', 'Facebook Page')
            then jsonb_build_object('subscribers', (random() * 100000)::integer, 'monetised', n % 3 = 0) else '{}' end, at, at, place,
       ' ' || lower(concat_ws(' ', title.word, tag.word, k.category, k.subcategory, replace(s.username, '_', ' ' || chr(131072) || chr(131167) || ' '),
                              tag.word, d.text))
  from (select n, (random() * 2147483647)::integer as place, timestamptz '2026-01-01' + n * interval '1 second' as at,
               (50000 * random() ^ 3)::integer as title, (50000 * random() ^ 3)::integer as tag,
               (random() * 99999)::integer as one, (random() * 99999)::integer as two,
               (random() * 99999)::integer as three, (random() * 99999)::integer as four
          from generate_series(1, current_setting('bench.posts')::integer) n) p
  join sellers s on s.number = 1 + n % current_setting('bench.sellers')::integer
  join kinds k on k.number = n % 10
  join words title on title.number = p.title
  join words tag on tag.number = p.tag
  join sentences a on a.number = one
  join sentences b on b.number = two
  join sentences c on c.number = three
  join sentences e on e.number = four
 cross join lateral (select concat_ws(' ', a.sentence, b.sentence, c.sentence, e.sentence) as text) d;
