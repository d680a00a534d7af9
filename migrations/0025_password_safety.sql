-- Passwords of admins, and usernames that look alike.
alter table users
  -- Whether the password is known to have the length that admins need. Set with each new password; nobody knows it of older ones.
  add column password_strong   boolean not null default false,
  -- What the name looks like: 0 and o, 1, i and l are one sign each, and nothing separates words.
  add column username_skeleton text not null generated always as (translate(lower(username), '01i_-', 'oll')) stored;
-- Not unique: names that were taken before may look alike. Sign-up takes a lock on the skeleton and looks it up.
create index users_username_skeleton on users (username_skeleton);
