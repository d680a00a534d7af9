-- The post that a conversation is about: the last one that it was opened from. No foreign key: a deleted post leaves its id behind, which then
-- names nothing, and deleting a post does not search the conversations.
alter table conversations add column post_id uuid;
