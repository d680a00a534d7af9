-- What migrations/NNNN_name.sql and migrations/functions/*.sql make, without River's schema. For readers: nothing runs this file.
-- Written by make generate, checked by make verify. What each login may do: migrations/grants.sql.

create extension btree_gin;
create extension pg_trgm;

create table ledger.accounts (
  id bigint not null generated always as identity,
  kind text not null,
  owner_id uuid,
  currency text not null,
  stored boolean not null generated always as ((kind = ANY (ARRAY['wallet'::text, 'escrow'::text, 'hold'::text]))) stored,
  balance bigint not null default 0,
  version bigint not null default 0,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_key UNIQUE NULLS NOT DISTINCT (kind, owner_id, currency),
  constraint accounts_check CHECK (((kind = ANY (ARRAY['wallet'::text, 'escrow'::text, 'hold'::text])) = (owner_id IS NOT NULL))),
  constraint accounts_check1 CHECK (((kind = ANY (ARRAY['wallet'::text, 'escrow'::text, 'hold'::text])) OR ((balance = 0) AND (version = 0)))),
  constraint accounts_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'BDT'::text]))),
  constraint accounts_floor CHECK ((balance >= 0)),
  constraint accounts_kind_check CHECK ((kind = ANY (ARRAY['wallet'::text, 'escrow'::text, 'hold'::text, 'fees'::text, 'referral_payable'::text, 'exchange'::text, 'bkash'::text, 'nagad'::text])))
) with (fillfactor=70);
CREATE TRIGGER accounts_permanent BEFORE DELETE OR TRUNCATE ON ledger.accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

create table ledger.entries (
  transfer_id bigint not null,
  account_id bigint not null,
  currency text not null,
  amount bigint not null,
  balance_after bigint,
  version bigint,
  at timestamp with time zone not null,
  xid xid8 not null default pg_current_xact_id(),
  constraint entries_pkey PRIMARY KEY (transfer_id, account_id),
  constraint entries_version UNIQUE (account_id, version),
  constraint entries_amount_check CHECK ((amount <> 0))
);
CREATE INDEX entries_own_at ON ledger.entries USING btree (account_id, at) WHERE (balance_after IS NULL);
CREATE INDEX entries_tail ON ledger.entries USING btree (account_id, xid) WHERE (balance_after IS NULL);
CREATE TRIGGER entries_balanced AFTER INSERT ON ledger.entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger.check_balanced();
CREATE TRIGGER entries_immutable BEFORE DELETE OR UPDATE OF transfer_id, account_id, currency, amount, balance_after, version, at OR TRUNCATE ON ledger.entries FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

create table ledger.rollups (
  account_id bigint not null,
  upto_xid xid8 not null,
  balance bigint not null,
  constraint rollups_pkey PRIMARY KEY (account_id)
);

create table ledger.transfers (
  id bigint not null generated always as identity,
  key text not null,
  kind text not null,
  request_hash bytea not null,
  entry_count smallint not null,
  actor_id uuid,
  reason text,
  at timestamp with time zone not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  constraint transfers_pkey PRIMARY KEY (id),
  constraint transfers_key UNIQUE (key),
  constraint transfers_entry_count_check CHECK ((entry_count >= 2))
);
CREATE TRIGGER transfers_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger.transfers FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

create table public.audit_log (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor_id uuid,
  action text not null,
  subject text not null,
  details jsonb not null,
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id)
);
CREATE INDEX audit_log_action ON public.audit_log USING btree (action, id DESC);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor_id, id DESC);
CREATE INDEX audit_log_at ON public.audit_log USING btree (at DESC);
CREATE INDEX audit_log_subject ON public.audit_log USING btree (subject, id DESC);
CREATE TRIGGER audit_log_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

create table public.books_checks (
  rule text not null,
  broken integer not null,
  checked_at timestamp with time zone not null,
  constraint books_checks_pkey PRIMARY KEY (rule),
  constraint books_checks_broken_check CHECK ((broken >= 0))
);

create table public.bug_reports (
  id uuid not null,
  user_id uuid,
  name text not null,
  email text not null,
  subject text not null,
  description text not null,
  created_at timestamp with time zone not null,
  constraint bug_reports_pkey PRIMARY KEY (id),
  constraint bug_reports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX bug_reports_created ON public.bug_reports USING btree (created_at DESC, id DESC);

create table public.contact_messages (
  id uuid not null,
  user_id uuid,
  name text not null,
  email text not null,
  message text not null,
  created_at timestamp with time zone not null,
  constraint contact_messages_pkey PRIMARY KEY (id),
  constraint contact_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX contact_messages_created ON public.contact_messages USING btree (created_at DESC, id DESC);

create table public.conversations (
  id uuid not null,
  user_a uuid not null,
  user_b uuid not null,
  started_by uuid not null,
  last_seq bigint not null default 0,
  read_a bigint not null default 0,
  read_b bigint not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  answered boolean not null default false,
  constraint conversations_pkey PRIMARY KEY (id),
  constraint conversations_pair UNIQUE (user_a, user_b),
  constraint conversations_started_by_fkey FOREIGN KEY (started_by) REFERENCES users(id),
  constraint conversations_user_a_fkey FOREIGN KEY (user_a) REFERENCES users(id),
  constraint conversations_user_b_fkey FOREIGN KEY (user_b) REFERENCES users(id),
  constraint conversations_check CHECK ((user_a < user_b)),
  constraint conversations_check1 CHECK (((started_by = user_a) OR (started_by = user_b))),
  constraint conversations_check2 CHECK (((read_a <= last_seq) AND (read_b <= last_seq)))
) with (fillfactor=80);
CREATE INDEX conversations_inbox_a ON public.conversations USING btree (user_a, updated_at DESC, id DESC) INCLUDE (last_seq, started_by);
CREATE INDEX conversations_inbox_b ON public.conversations USING btree (user_b, updated_at DESC, id DESC) INCLUDE (last_seq, started_by);
CREATE INDEX conversations_unread_a ON public.conversations USING btree (user_a) WHERE (read_a < last_seq);
CREATE INDEX conversations_unread_b ON public.conversations USING btree (user_b) WHERE (read_b < last_seq);

create table public.deal_events (
  id uuid not null,
  deal_id uuid not null,
  kind text not null,
  actor_id uuid,
  params jsonb not null,
  at timestamp with time zone not null,
  constraint deal_events_pkey PRIMARY KEY (id),
  constraint deal_events_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint deal_events_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deals(id)
);
CREATE INDEX deal_events_deal ON public.deal_events USING btree (deal_id, at, id);

create table public.deals (
  id uuid not null,
  buyer_id uuid not null,
  seller_id uuid not null,
  created_by uuid not null,
  price bigint not null,
  fee bigint not null,
  description text not null,
  delivery_days smallint not null,
  inspection_days smallint not null default 3,
  status text not null default 'Pending'::text,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  activated_at timestamp with time zone,
  delivered boolean not null default false,
  delivered_at timestamp with time zone,
  first_delivered_at timestamp with time zone,
  cancellation_requested boolean not null default false,
  cancellation_declined boolean not null default false,
  closed_at timestamp with time zone,
  removed_at timestamp with time zone,
  requests smallint not null default 0,
  cancellation_asked_at timestamp with time zone,
  reset_at timestamp with time zone,
  next_action text,
  next_action_at timestamp with time zone,
  warned_at timestamp with time zone,
  frozen_at timestamp with time zone,
  frozen_for interval not null default '00:00:00'::interval,
  escalated_at timestamp with time zone,
  close_reason text,
  suspended_at timestamp with time zone,
  accepted_at timestamp with time zone,
  refunded_amount bigint,
  constraint deals_pkey PRIMARY KEY (id),
  constraint deals_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES users(id),
  constraint deals_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint deals_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES users(id),
  constraint deals_check CHECK (((fee >= 0) AND (fee <= price))),
  constraint deals_check1 CHECK ((buyer_id <> seller_id)),
  constraint deals_check10 CHECK (((suspended_at IS NULL) OR (frozen_at IS NOT NULL))),
  constraint deals_check11 CHECK (((suspended_at IS NULL) OR (closed_at IS NULL))),
  constraint deals_check2 CHECK (((created_by = buyer_id) OR (created_by = seller_id))),
  constraint deals_check3 CHECK (((status = 'Pending'::text) = (activated_at IS NULL))),
  constraint deals_check4 CHECK (((status = ANY (ARRAY['Completed'::text, 'Cancelled'::text, 'Cancelled by Buyer'::text, 'Cancelled by Seller'::text])) = (closed_at IS NOT NULL))),
  constraint deals_check5 CHECK (((removed_at IS NULL) OR (status = 'Pending'::text))),
  constraint deals_check6 CHECK (((status <> 'Delivered'::text) OR delivered)),
  constraint deals_check7 CHECK (((next_action IS NULL) = (next_action_at IS NULL))),
  constraint deals_check8 CHECK ((cancellation_requested = (cancellation_asked_at IS NOT NULL))),
  constraint deals_check9 CHECK (((closed_at IS NULL) OR (next_action IS NULL))),
  constraint deals_delivery_days_check CHECK (((delivery_days >= 1) AND (delivery_days <= 99))),
  constraint deals_inspection_days_check CHECK (((inspection_days >= 1) AND (inspection_days <= 30))),
  constraint deals_next_action_check CHECK ((next_action = ANY (ARRAY['expire'::text, 'complete'::text, 'refund'::text, 'refund_unanswered'::text, 'escalate'::text]))),
  constraint deals_price_check CHECK (((price >= 1) AND (price <= 100000000))),
  constraint deals_status_check CHECK ((status = ANY (ARRAY['Pending'::text, 'Active'::text, 'Late'::text, 'Delivered'::text, 'Completed'::text, 'Cancelled'::text, 'Cancelled by Buyer'::text, 'Cancelled by Seller'::text])))
);
CREATE INDEX deals_buyer ON public.deals USING btree (buyer_id, created_at DESC, id DESC) WHERE (removed_at IS NULL);
CREATE INDEX deals_clock ON public.deals USING btree (next_action_at) WHERE ((next_action IS NOT NULL) AND (frozen_at IS NULL));
CREATE INDEX deals_completed_buyer ON public.deals USING btree (buyer_id) INCLUDE (seller_id, price) WHERE (status = 'Completed'::text);
CREATE INDEX deals_completed_seller ON public.deals USING btree (seller_id) INCLUDE (buyer_id, price) WHERE (status = 'Completed'::text);
CREATE INDEX deals_seller ON public.deals USING btree (seller_id, created_at DESC, id DESC) WHERE (removed_at IS NULL);
CREATE INDEX deals_status ON public.deals USING btree (status, created_at DESC, id DESC);
CREATE INDEX deals_suspended ON public.deals USING btree (id) WHERE (suspended_at IS NOT NULL);
CREATE INDEX deals_turn_late ON public.deals USING btree (due_at) WHERE (status = 'Active'::text);
CREATE INDEX deals_unaccepted ON public.deals USING btree (buyer_id, seller_id) WHERE ((accepted_at IS NULL) AND (removed_at IS NULL) AND (closed_at IS NULL));
CREATE INDEX deals_undecided ON public.deals USING btree (LEAST(escalated_at, suspended_at), id) WHERE ((escalated_at IS NOT NULL) OR (suspended_at IS NOT NULL));

create table public.deposits (
  id uuid not null,
  user_id uuid not null,
  payment_method text not null,
  transaction_id text not null,
  claimed_amount bigint not null,
  amount bigint not null,
  rate bigint not null,
  converted_amount bigint not null,
  status text not null default 'pending'::text,
  reason text,
  created_at timestamp with time zone not null,
  handled_at timestamp with time zone,
  handled_by uuid,
  claimed_by uuid,
  claimed_until timestamp with time zone,
  proposed_amount bigint,
  proposed_reason text,
  proposed_by uuid,
  proposed_at timestamp with time zone,
  constraint deposits_pkey PRIMARY KEY (id),
  constraint deposits_claimed_by_fkey FOREIGN KEY (claimed_by) REFERENCES users(id),
  constraint deposits_handled_by_fkey FOREIGN KEY (handled_by) REFERENCES users(id),
  constraint deposits_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES users(id),
  constraint deposits_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint deposits_amount_check CHECK ((amount > 0)),
  constraint deposits_check CHECK (((status = 'pending'::text) = (handled_at IS NULL))),
  constraint deposits_check1 CHECK ((handled_by <> user_id)),
  constraint deposits_check2 CHECK ((converted_amount = (amount * rate))),
  constraint deposits_claimed_amount_check CHECK ((claimed_amount > 0)),
  constraint deposits_converted_amount_check CHECK ((converted_amount > 0)),
  constraint deposits_payment_method_check CHECK ((payment_method = ANY (ARRAY['Bkash'::text, 'Nagad'::text]))),
  constraint deposits_proposal_not_own CHECK ((proposed_by <> user_id)),
  constraint deposits_proposal_open CHECK (((proposed_by IS NULL) OR (status = 'pending'::text))),
  constraint deposits_proposal_whole CHECK ((num_nulls(proposed_amount, proposed_reason, proposed_by, proposed_at) = ANY (ARRAY[0, 4]))),
  constraint deposits_proposed_amount_check CHECK ((proposed_amount > 0)),
  constraint deposits_rate_check CHECK ((rate > 0)),
  constraint deposits_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'Failed'::text]))),
  constraint deposits_transaction_id_check CHECK ((transaction_id ~ '^[0-9A-Z]{8,12}$'::text))
);
CREATE INDEX deposits_created ON public.deposits USING btree (created_at DESC, id DESC);
CREATE INDEX deposits_status ON public.deposits USING btree (status, created_at, id);
CREATE INDEX deposits_transaction ON public.deposits USING btree (transaction_id);
CREATE UNIQUE INDEX deposits_transaction_completed_key ON public.deposits USING btree (transaction_id) WHERE (status = 'completed'::text);
CREATE UNIQUE INDEX deposits_transaction_user_key ON public.deposits USING btree (user_id, transaction_id) WHERE (status <> 'Failed'::text);
CREATE INDEX deposits_user ON public.deposits USING btree (user_id, created_at DESC, id DESC);

create table public.exchange_rates (
  id bigint not null generated always as identity,
  usd_to_bdt bigint not null,
  set_by uuid,
  set_at timestamp with time zone not null,
  constraint exchange_rates_pkey PRIMARY KEY (id),
  constraint exchange_rates_set_by_fkey FOREIGN KEY (set_by) REFERENCES users(id),
  constraint exchange_rates_usd_to_bdt_check CHECK (((usd_to_bdt >= 100) AND (usd_to_bdt <= 10000000)))
);

create table public.idempotency_keys (
  user_id uuid not null,
  key text not null,
  request_hash bytea not null,
  resource_id uuid not null,
  status smallint,
  response jsonb,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, key),
  constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);

create table public.image_blobs (
  hash bytea not null,
  saved_at timestamp with time zone not null,
  constraint image_blobs_pkey PRIMARY KEY (hash),
  constraint image_blobs_hash_check CHECK ((octet_length(hash) = 32))
);

create table public.image_variants (
  hash bytea not null,
  width integer not null,
  height integer not null,
  content_type text not null,
  data bytea storage external not null,
  constraint image_variants_pkey PRIMARY KEY (hash, width),
  constraint image_variants_hash_fkey FOREIGN KEY (hash) REFERENCES image_blobs(hash) ON DELETE CASCADE,
  constraint image_variants_content_type_check CHECK ((content_type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text]))),
  constraint image_variants_height_check CHECK ((height > 0)),
  constraint image_variants_width_check CHECK ((width > 0))
);

create table public.images (
  id uuid not null,
  blob_hash bytea not null,
  owner_id uuid not null,
  conversation_id uuid,
  width integer not null,
  height integer not null,
  created_at timestamp with time zone not null,
  released_at timestamp with time zone,
  constraint images_pkey PRIMARY KEY (id),
  constraint images_blob_hash_fkey FOREIGN KEY (blob_hash) REFERENCES image_blobs(hash),
  constraint images_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id),
  constraint images_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
);
CREATE INDEX images_blob ON public.images USING btree (blob_hash);
CREATE INDEX images_released ON public.images USING btree (released_at) WHERE (released_at IS NOT NULL);

create table public.known_browsers (
  token_hash bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  last_login_at timestamp with time zone not null,
  constraint known_browsers_pkey PRIMARY KEY (token_hash, user_id),
  constraint known_browsers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint known_browsers_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX known_browsers_last_login ON public.known_browsers USING btree (last_login_at);
CREATE INDEX known_browsers_user ON public.known_browsers USING btree (user_id, last_login_at DESC);

create table public.mailed_tokens (
  token_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  withdrawal_id uuid,
  constraint mailed_tokens_pkey PRIMARY KEY (token_hash),
  constraint mailed_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint mailed_tokens_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(id),
  constraint mailed_tokens_check CHECK (((purpose = ANY (ARRAY['confirm_withdrawal'::text, 'stop_withdrawal'::text])) = (withdrawal_id IS NOT NULL))),
  constraint mailed_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['reset_password'::text, 'verify_email'::text, 'confirm_withdrawal'::text, 'stop_withdrawal'::text]))),
  constraint mailed_tokens_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX mailed_tokens_expires ON public.mailed_tokens USING btree (expires_at);
CREATE INDEX mailed_tokens_user ON public.mailed_tokens USING btree (user_id, purpose);
CREATE INDEX mailed_tokens_withdrawal ON public.mailed_tokens USING btree (withdrawal_id, purpose) WHERE (withdrawal_id IS NOT NULL);

create table public.messages (
  id uuid not null,
  conversation_id uuid not null,
  seq bigint not null,
  sender_id uuid not null,
  text text not null,
  image_id uuid,
  created_at timestamp with time zone not null,
  constraint messages_pkey PRIMARY KEY (conversation_id, seq),
  constraint messages_id_key UNIQUE (id),
  constraint messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id),
  constraint messages_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint messages_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id),
  constraint messages_check CHECK (((text <> ''::text) OR (image_id IS NOT NULL))),
  constraint messages_text_check CHECK ((char_length(text) <= 4000))
);
CREATE INDEX messages_image ON public.messages USING btree (image_id) WHERE (image_id IS NOT NULL);

create table public.notifications (
  id uuid not null,
  user_id uuid not null,
  audience text not null,
  kind text not null,
  params jsonb not null,
  about_user_id uuid,
  link text not null default ''::text,
  is_read boolean not null default false,
  mailed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_about_user_id_fkey FOREIGN KEY (about_user_id) REFERENCES users(id),
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint notifications_audience_check CHECK ((audience = ANY (ARRAY['user'::text, 'admin'::text])))
);
CREATE INDEX notifications_unread ON public.notifications USING btree (user_id) WHERE (NOT is_read);
CREATE INDEX notifications_user ON public.notifications USING btree (user_id, created_at DESC, id DESC);

create table public.operations (
  id uuid not null,
  kind text not null,
  subject text not null,
  actor_id uuid,
  params jsonb not null,
  status text not null default 'pending'::text,
  result jsonb,
  error_code text,
  error_message text,
  shortfall bigint,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint operations_pkey PRIMARY KEY (id),
  constraint operations_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint operations_check CHECK (((status = 'pending'::text) = (finished_at IS NULL))),
  constraint operations_check1 CHECK (((status = 'rejected'::text) = (error_code IS NOT NULL))),
  constraint operations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'done'::text, 'rejected'::text])))
);
CREATE INDEX operations_pending_age ON public.operations USING btree (created_at) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX operations_pending_subject ON public.operations USING btree (subject) WHERE (status = 'pending'::text);
CREATE INDEX operations_subject ON public.operations USING btree (subject, created_at DESC);

create table public.posts (
  id uuid not null,
  created_by uuid not null,
  title text not null,
  description text not null,
  price bigint not null,
  category text not null,
  subcategory text not null,
  image_id uuid,
  tags text[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  place integer not null,
  document text not null,
  constraint posts_pkey PRIMARY KEY (id),
  constraint posts_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint posts_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint posts_category_check CHECK ((category = ANY (ARRAY['Freelance Service'::text, 'Physical Product'::text, 'Online Asset'::text]))),
  constraint posts_price_check CHECK (((price >= 1) AND (price <= 100000000))),
  constraint posts_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 80)))
);
CREATE INDEX posts_category_place ON public.posts USING btree (category, place, id) INCLUDE (created_at, created_by);
CREATE INDEX posts_image ON public.posts USING btree (image_id) WHERE (image_id IS NOT NULL);
CREATE INDEX posts_place ON public.posts USING btree (place, id) INCLUDE (created_at, created_by);
CREATE INDEX posts_search ON public.posts USING gin (category, document gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX posts_user ON public.posts USING btree (created_by, created_at DESC, id DESC);

create table public.referral_rewards (
  id uuid not null,
  deal_id uuid not null,
  referred_id uuid not null,
  referrer_id uuid not null,
  amount bigint not null,
  created_at timestamp with time zone not null,
  credited_at timestamp with time zone,
  constraint referral_rewards_pkey PRIMARY KEY (id),
  constraint referral_rewards_deal_id_referrer_id_key UNIQUE (deal_id, referrer_id),
  constraint referral_rewards_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deals(id),
  constraint referral_rewards_referred_id_fkey FOREIGN KEY (referred_id) REFERENCES users(id),
  constraint referral_rewards_referrer_id_fkey FOREIGN KEY (referrer_id) REFERENCES users(id),
  constraint referral_rewards_amount_check CHECK ((amount > 0))
);
CREATE INDEX referral_rewards_referrer ON public.referral_rewards USING btree (referrer_id);

create table public.reviews (
  id uuid not null,
  deal_id uuid not null,
  reviewer_id uuid not null,
  reviewed_id uuid not null,
  rating smallint not null,
  comment text not null,
  created_at timestamp with time zone not null,
  constraint reviews_pkey PRIMARY KEY (id),
  constraint reviews_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deals(id),
  constraint reviews_reviewed_id_fkey FOREIGN KEY (reviewed_id) REFERENCES users(id),
  constraint reviews_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES users(id),
  constraint reviews_check CHECK ((reviewer_id <> reviewed_id)),
  constraint reviews_rating_check CHECK (((rating >= 1) AND (rating <= 5)))
);
CREATE UNIQUE INDEX reviews_deal_key ON public.reviews USING btree (deal_id);
CREATE INDEX reviews_reviewed ON public.reviews USING btree (reviewed_id, created_at DESC, id DESC);

create table public.schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table public.sessions (
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  user_agent text not null default ''::text,
  address text not null default ''::text,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  password_confirmed_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint sessions_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX sessions_expires ON public.sessions USING btree (expires_at);
CREATE UNIQUE INDEX sessions_token_hash_key ON public.sessions USING btree (token_hash);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

create table public.support_requests (
  id uuid not null,
  deal_id uuid not null,
  user_id uuid not null,
  issue_description text not null,
  created_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  closed_by uuid,
  answer text not null default ''::text,
  constraint support_requests_pkey PRIMARY KEY (id),
  constraint support_requests_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES users(id),
  constraint support_requests_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deals(id),
  constraint support_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint support_requests_check CHECK (((closed_at IS NULL) = (closed_by IS NULL)))
);
CREATE INDEX support_requests_created ON public.support_requests USING btree (created_at DESC, id DESC);
CREATE UNIQUE INDEX support_requests_open ON public.support_requests USING btree (deal_id, user_id) WHERE (closed_at IS NULL);

create table public.user_events (
  user_id uuid not null,
  seq bigint not null,
  id uuid not null,
  type text not null,
  payload jsonb not null,
  at timestamp with time zone not null,
  constraint user_events_pkey PRIMARY KEY (user_id, seq)
);
CREATE INDEX user_events_at ON public.user_events USING btree (at);

create table public.user_seq (
  user_id uuid not null,
  seq bigint not null,
  constraint user_seq_pkey PRIMARY KEY (user_id),
  constraint user_seq_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
) with (fillfactor=70);

create table public.users (
  id uuid not null,
  username text not null,
  email text not null,
  password_hash text not null,
  profile_pic text not null default ''::text,
  is_admin boolean not null default false,
  is_verified boolean not null default false,
  language text not null default 'en'::text,
  referral_code text not null,
  referred_by uuid,
  terms_accepted_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  withdrawals_held_at timestamp with time zone,
  mail_notices boolean not null default true,
  unsubscribe_token uuid not null default gen_random_uuid(),
  password_reset_at timestamp with time zone,
  withdrawals_stopped_at timestamp with time zone,
  password_strong boolean not null default false,
  username_skeleton text not null generated always as (translate(lower(username), '01i_-'::text, 'oll'::text)) stored,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_referred_by_fkey FOREIGN KEY (referred_by) REFERENCES users(id),
  constraint users_check CHECK ((referred_by <> id)),
  constraint users_language_check CHECK ((language = ANY (ARRAY['en'::text, 'bn'::text]))),
  constraint users_username_check CHECK ((username ~ '^[A-Za-z0-9_-]{1,40}$'::text))
);
CREATE INDEX users_admins ON public.users USING btree (id) WHERE is_admin;
CREATE INDEX users_created ON public.users USING btree (created_at DESC, id DESC);
CREATE INDEX users_disabled ON public.users USING btree (id) WHERE (disabled_at IS NOT NULL);
CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email));
CREATE INDEX users_email_trgm ON public.users USING gin (lower(email) gin_trgm_ops);
CREATE UNIQUE INDEX users_referral_code_key ON public.users USING btree (referral_code);
CREATE INDEX users_referred_by ON public.users USING btree (referred_by) WHERE (referred_by IS NOT NULL);
CREATE UNIQUE INDEX users_unsubscribe_token_key ON public.users USING btree (unsubscribe_token);
CREATE INDEX users_username_beginning ON public.users USING btree (lower(username) text_pattern_ops);
CREATE UNIQUE INDEX users_username_key ON public.users USING btree (lower(username));
CREATE INDEX users_username_skeleton ON public.users USING btree (username_skeleton);
CREATE INDEX users_username_trigrams ON public.users USING gin (lower(username) gin_trgm_ops) WITH (fastupdate=off);

create table public.visitor_keys (
  hash bytea not null,
  resource_id uuid not null,
  created_at timestamp with time zone not null,
  constraint visitor_keys_pkey PRIMARY KEY (hash),
  constraint visitor_keys_hash_check CHECK ((octet_length(hash) = 32))
);
CREATE INDEX visitor_keys_age ON public.visitor_keys USING btree (created_at);

create table public.withdrawals (
  id uuid not null,
  user_id uuid not null,
  payment_method text not null,
  phone_number text not null,
  amount bigint not null,
  rate bigint not null,
  converted_amount bigint not null,
  transaction_id text,
  status text not null default 'pending'::text,
  reason text,
  requested_at timestamp with time zone not null,
  handled_at timestamp with time zone,
  handled_by uuid,
  claimed_by uuid,
  claimed_until timestamp with time zone,
  held_until timestamp with time zone,
  held_reasons text[] not null default '{}'::text[],
  confirmed_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  disowned_at timestamp with time zone,
  constraint withdrawals_pkey PRIMARY KEY (id),
  constraint withdrawals_claimed_by_fkey FOREIGN KEY (claimed_by) REFERENCES users(id),
  constraint withdrawals_handled_by_fkey FOREIGN KEY (handled_by) REFERENCES users(id),
  constraint withdrawals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint withdrawals_amount_check CHECK ((amount > 0)),
  constraint withdrawals_check CHECK (((status = 'pending'::text) = (handled_at IS NULL))),
  constraint withdrawals_check1 CHECK ((handled_by <> user_id)),
  constraint withdrawals_check2 CHECK ((converted_amount = (amount * rate))),
  constraint withdrawals_check3 CHECK (((held_until IS NULL) OR (held_reasons <> '{}'::text[]))),
  constraint withdrawals_check4 CHECK (((cancelled_at IS NULL) OR ((status = 'failed'::text) AND (handled_by IS NULL)))),
  constraint withdrawals_converted_amount_check CHECK ((converted_amount > 0)),
  constraint withdrawals_held_reasons_check CHECK ((held_reasons <@ ARRAY['new_number'::text, 'password_reset'::text, 'new_browser'::text])),
  constraint withdrawals_payment_method_check CHECK ((payment_method = ANY (ARRAY['Bkash'::text, 'Nagad'::text]))),
  constraint withdrawals_phone_number_check CHECK ((phone_number ~ '^01[0-9]{9}$'::text)),
  constraint withdrawals_rate_check CHECK ((rate > 0)),
  constraint withdrawals_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX withdrawals_requested ON public.withdrawals USING btree (requested_at DESC, id DESC);
CREATE INDEX withdrawals_status ON public.withdrawals USING btree (status, requested_at, id);
CREATE UNIQUE INDEX withdrawals_transaction_key ON public.withdrawals USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX withdrawals_user ON public.withdrawals USING btree (user_id, requested_at DESC, id DESC);
CREATE INDEX withdrawals_user_pending ON public.withdrawals USING btree (user_id) WHERE (status = 'pending'::text);
CREATE INDEX withdrawals_user_sent ON public.withdrawals USING btree (user_id, phone_number) WHERE (status = 'completed'::text);

-- Functions; what they do stands in migrations/functions.
-- ledger.balance(p_kind text, p_owner uuid, p_currency text) returns bigint language sql stable
-- ledger.check_balanced() returns trigger language plpgsql set plan_cache_mode = force_generic_plan
-- ledger.fold() returns bigint language plpgsql security definer set search_path = ledger, pg_temp
-- ledger.post(p_key text, p_kind text, p_at timestamp with time zone, p_actor uuid, p_reason text, p_kinds text[], p_owners uuid[], p_currencies text[], p_amounts bigint[], OUT outcome text, OUT shortfall bigint) returns record language plpgsql security definer set plan_cache_mode = force_generic_plan set search_path = ledger, pg_temp
-- ledger.refuse_change() returns trigger language plpgsql
-- public.deal_is_open(p_status text) returns boolean language sql immutable parallel safe
