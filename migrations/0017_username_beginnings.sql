-- A search by two letters asks for the beginnings of usernames: trigrams need three.
create index users_username_beginning on users (lower(username) text_pattern_ops);
