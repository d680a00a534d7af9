-- Inserts the messages numbered @from to @to of every conversation of the chat benchmark. The
-- messages of one conversation are spread over the table, as they are when many users write at the
-- same time.
insert into messages (id, conversation_id, seq, sender_id, text, created_at)
select uuidv7(), c.id, s.seq, case when s.seq % 2 = 0 then c.user_a else c.user_b end,
       'Message number ' || s.seq || ' of a conversation about something that is for sale.', '2026-01-02Z'::timestamptz + s.seq * interval '1 minute'
  from generate_series(@from::bigint, @to::bigint) as s (seq)
 cross join conversations c;
