-- A search by two letters asks for the beginnings of email addresses, too: trigrams need three. The unique index serves this only in a
-- database that sorts by code point.
create index users_email_beginning on users (lower(email) text_pattern_ops);
