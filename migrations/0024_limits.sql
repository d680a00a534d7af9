-- Whether both people of a conversation have written: only then does either see when the other is online.
alter table conversations add column answered boolean not null default false;
update conversations c
   set answered = true
 where last_seq > 1
   and exists (select from messages m where m.conversation_id = c.id and m.sender_id = c.user_a)
   and exists (select from messages m where m.conversation_id = c.id and m.sender_id = c.user_b);
