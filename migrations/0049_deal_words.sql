-- Pictures that a seller delivers with. Whether a picture is shown does not change who may see it: the row lasts as long as the picture.
create table deal_pictures (
  image_id   uuid primary key references images (id) on delete cascade,
  deal_id    uuid not null references deals (id),
  event_id   uuid references deal_events (id), -- the delivery that shows it; null until then
  place      smallint not null default 0 check (place between 0 and 7), -- among those of the delivery
  created_at timestamptz not null
);
create index deal_pictures_event on deal_pictures (event_id, place) where event_id is not null;
create index deal_pictures_deal on deal_pictures (deal_id, event_id);
create index deal_pictures_unused on deal_pictures (created_at) where event_id is null;

-- What a party said with a delivery, or with a request for changes, also stands in the conversation of the two.
alter table messages
  add column deal_event_id uuid,
  add constraint messages_deal_event_id_fkey foreign key (deal_event_id) references deal_events (id) not valid,
  drop constraint messages_check,
  add constraint messages_check check (erased or text <> '' or image_id is not null or deal_event_id is not null) not valid;

-- The pictures of a reported message that has several.
create table case_pictures (
  case_id  uuid not null references moderation_cases (id),
  image_id uuid not null references images (id) on delete cascade,
  place    smallint not null,
  primary key (case_id, place)
);
create index case_pictures_image on case_pictures (image_id);
