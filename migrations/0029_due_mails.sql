-- Emails of notifications that have not been sent yet. The transaction that writes a notification adds its row, and a periodic job sends
-- what is due. due_at is real time, as that of River's jobs: a sweep that takes a row moves it on until the row's lease ends.
create table due_mails (
  notification_id uuid primary key references notifications (id),
  due_at          timestamptz not null,
  attempts        integer not null default 0,
  last_error      text not null default ''
);
create index due_mails_due on due_mails (due_at);
