-- Blocks between users, reports of users and of what they publish, what admins decide about them,
-- and what users and visitors write to the provider.

create table blocks (
  blocker_id uuid not null references users (id),
  blocked_id uuid not null references users (id),
  created_at timestamptz not null,
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_newest on blocks (blocker_id, created_at desc, blocked_id desc);
create index blocks_blocked on blocks (blocked_id);

-- A case gathers the reports of one thing until an admin decides it. The decision and its appeal
-- are in the same row.
create table moderation_cases (
  id                uuid primary key,
  subject           text not null check (subject in ('post', 'message', 'user', 'review')),
  subject_id        uuid not null, -- no foreign key: posts can be deleted
  accused_id        uuid not null references users (id),
  -- What was reported, as it was at the first report.
  username          text not null, -- of the accused
  title             text not null,
  text              text not null,
  price             bigint,        -- cents
  category          text not null,
  facts             jsonb not null default '{}', -- of a post
  rating            smallint,
  image_id          uuid references images (id) on delete set null,
  first_reported_at timestamptz not null,
  claimed_by        uuid references users (id),
  claimed_until     timestamptz,
  action            text check (action in ('dismiss', 'warn', 'hide', 'suspend', 'ban')), -- null: open
  reason            text not null default '',
  suspended_until   timestamptz,
  decided_by        uuid references users (id),
  decided_at        timestamptz,
  appeal            text,
  appealed_at       timestamptz,
  overturned        boolean, -- null: no appeal, or an open one
  answer            text,
  appeal_decided_by uuid references users (id),
  appeal_decided_at timestamptz,
  check (num_nulls(claimed_by, claimed_until) in (0, 2)),
  check (num_nulls(action, decided_by, decided_at) in (0, 3)),
  check (suspended_until is null or action = 'suspend'),
  check (num_nulls(appeal, appealed_at) in (0, 2)),
  check (appealed_at is null or action <> 'dismiss'),
  check (num_nulls(overturned, answer, appeal_decided_by, appeal_decided_at) in (0, 4)),
  check (appeal_decided_at is null or appealed_at is not null)
);
create unique index moderation_cases_open on moderation_cases (subject, subject_id) where decided_at is null;
create index moderation_cases_waiting on moderation_cases (first_reported_at, id) where decided_at is null;
create index moderation_cases_appealed on moderation_cases (appealed_at, id) where appealed_at is not null and appeal_decided_at is null;
create index moderation_cases_decided on moderation_cases (decided_at desc, id desc) where decided_at is not null;
create index moderation_cases_accused on moderation_cases (accused_id, decided_at desc, id desc) where decided_at is not null;
create index moderation_cases_image on moderation_cases (image_id) where image_id is not null;

-- users is created before the cases, which refer to it.
alter table users add foreign key (suspended_by) references moderation_cases (id);

-- The pictures of a reported message that has several, and of a post after its first.
create table case_pictures (
  case_id  uuid not null references moderation_cases (id),
  image_id uuid not null references images (id) on delete cascade,
  place    smallint not null,
  primary key (case_id, place)
);
create index case_pictures_image on case_pictures (image_id);

create table moderation_reports (
  id          uuid primary key,
  case_id     uuid not null references moderation_cases (id),
  reporter_id uuid not null references users (id),
  reason      text not null check (reason in
                ('scam', 'off_platform', 'abuse', 'sexual', 'illegal', 'impersonation', 'spam', 'false_review', 'other')),
  text        text not null check (char_length(text) <= 1000),
  created_at  timestamptz not null,
  constraint moderation_reports_once unique (case_id, reporter_id)
);
create index moderation_reports_reporter on moderation_reports (reporter_id, created_at desc, id desc);

create table bug_reports (
  id          uuid primary key,
  user_id     uuid references users (id), -- null: a visitor
  name        text not null,
  email       text not null,
  subject     text not null,
  description text not null,
  created_at  timestamptz not null
);
create index bug_reports_created on bug_reports (created_at desc, id desc);

create table contact_messages (
  id         uuid primary key,
  user_id    uuid references users (id), -- null: a visitor
  name       text not null,
  email      text not null,
  message    text not null,
  created_at timestamptz not null
);
create index contact_messages_created on contact_messages (created_at desc, id desc);
