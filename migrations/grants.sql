-- Privileges of the api and the worker. Runs after every migration; idempotent.
--
-- The api never moves money: it cannot write to the ledger, call its functions that do, or settle
-- an operation. It cannot grant admin rights, release a hold on withdrawals, or change the terms of
-- a deal: in tables that control money, it can write only the columns it needs.
-- internal/money/ledger/testdata/rights.txt lists the resulting privileges.
do $$ begin
  execute format('grant connect on database %I to amanat_api, amanat_worker', current_database());
  -- Only the owner may create objects in public: a function there could shadow another of the same
  -- name.
  execute format('revoke create on schema public from public');
end $$;

revoke all on all tables in schema public, ledger, chain, river from amanat_api, amanat_worker;
revoke all on all functions in schema ledger from amanat_api, amanat_worker;
revoke all on function deal_apply_counteroffer from public, amanat_api;
revoke all on function payment_drift from public, amanat_api, amanat_worker;
revoke all on all sequences in schema ledger from amanat_api, amanat_worker;
grant usage on schema public, ledger, river to amanat_api, amanat_worker;

-- api
grant select on all tables in schema public to amanat_api;
grant select on all tables in schema ledger to amanat_api;
grant insert on sessions, idempotency_keys, user_seq, user_events, notifications, audit_log, exchange_rates,
  deals, deal_events, support_requests, images, image_blobs, image_variants, picture_objects, posts, reviews, conversations, messages,
  known_browsers, bug_reports, contact_messages, visitor_keys, totp_secrets, passkeys, backup_codes, login_challenges, passkey_ceremonies,
  email_changes, account_events, blocks, moderation_cases, moderation_reports, retired_usernames,
  closed_accounts, payout_numbers, consents, deal_invites, deal_proofs, deal_pictures, case_pictures, dispute_entries, post_pictures,
  push_subscriptions, saved_posts, saved_searches, new_posts, post_views to amanat_api;
grant insert (id, deal_id, made_by, price, fee, description, delivery_days, inspection_days, created_at) on deal_counteroffers to amanat_api;
grant insert (id, deal_id, opened_by, reason, created_at, answer_due_at, freezes) on disputes to amanat_api;
grant insert (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, receiver, deal_id, deal_terms, created_at) on deposits to amanat_api;
grant insert (code, user_id, created_at), update (deal_id, deal_terms, aimed_at, receivers) on payment_codes to amanat_api;
-- The api stores what phones forward, and reads neither that nor the transaction IDs of payments:
-- whoever knows one could report the payment of another as their own.
grant insert on phone_deliveries to amanat_api;
revoke select on phone_deliveries, payments from amanat_api;
grant select (id, receiver_id, state, unread_text, forwarded_at, outgoing, amount, fee, balance, party, made_at) on payments to amanat_api;
-- The api asks for a checkout. What the provider answers is for workers, as is the token.
grant insert (id, user_id, deal_id, deal_terms, payment_method, amount, rate, converted_amount, created_at) on checkouts to amanat_api;
revoke select on checkout_providers from amanat_api;
grant select (payment_method, seen_at, down_until) on checkout_providers to amanat_api;
grant insert (id, dispute_id, made_by, buyer_gets, seller_gets, fee, created_at) on dispute_offers to amanat_api;
grant insert (id, dispute_id, final, decided_by, buyer_gets, seller_gets, fee, reason, decided_at, due_at) on dispute_decisions to amanat_api;
grant insert (id, user_id, requested_at) on data_exports to amanat_api;
-- The worker confirms what was proposed, with the posting.
grant insert (id, user_id, amount, reason, note, proposed_by, proposed_at, expires_at) on corrections to amanat_api;
grant update (status, decided_by, decided_at, decision) on corrections to amanat_api;
grant insert (id, username, email, password_hash, password_strong, language, referral_code, referred_by, terms_accepted_at, created_at) on users
  to amanat_api;
grant insert (id, kind, subject, actor_id, params, created_at, request_id) on operations to amanat_api;
grant insert (notification_id, due_at) on due_mails to amanat_api;
grant insert (subscription_id, topic, notification_id, message_id, created_at, due_at) on due_pushes to amanat_api;
-- A change of the settings makes pushes due that wait for the end of the quiet hours.
grant update (due_at) on due_pushes to amanat_api;
grant update on conversations, posts, known_browsers, support_requests, sessions, idempotency_keys, user_seq, notifications,
  totp_secrets, passkeys, backup_codes, login_challenges, passkey_ceremonies, push_subscriptions, post_views to amanat_api;
grant update (email, email_changed_at, password_hash, password_strong, password_reset_at, profile_pic, is_verified, language, mail_notices, disabled_at,
  suspended_by, withdrawals_stopped_at, second_factor_since, factor_added_at, mail_off, push_off, push_details, quiet_from, quiet_to, away_until) on users to amanat_api;
-- For closing an account.
grant update (username, closed_at) on users to amanat_api;
grant update (status, activated_at, delivered, delivered_at, first_delivered_at, courier, tracking_number, arrived_at, reset_at,
  cancellation_requested, cancellation_asked_at, cancellation_declined, requests, next_action, next_action_at, warned_at, frozen_at, frozen_for, escalated_at, closed_at, close_reason,
  removed_at, accepted_at, suspended_at) on deals to amanat_api;
-- Terms that were proposed become those of the deal by a function.
grant update (counteroffer_by) on deals to amanat_api;
grant execute on function deal_apply_counteroffer to amanat_api;
grant execute on function payment_drift to amanat_api, amanat_worker;
grant update (status) on deal_counteroffers to amanat_api;
grant update (status, reason, reason_code, handled_at, handled_by, claimed_by, claimed_until, proposed_amount, proposed_reason, proposed_by,
  proposed_at) on deposits to amanat_api;
grant update (claimed_by, claimed_at, claimed_until, confirmed_at, disowned_at) on withdrawals to amanat_api;
grant update (claimed_by, claimed_until, action, reason, suspended_until, decided_by, decided_at, appeal, appealed_at, overturned, answer,
  appeal_decided_by, appeal_decided_at) on moderation_cases to amanat_api;
grant update (revoked_at, deal_id, email, phone) on deal_invites to amanat_api;
grant update (code, shown, changed_by, changed_at) on deal_proofs to amanat_api;
grant update (event_id, entry_id, place) on deal_pictures to amanat_api;
grant update (status, answered_at, claimed_by, claimed_until, appealed_by, appealed_at, carry_out_at, ended_at) on disputes to amanat_api;
grant update (status) on dispute_offers to amanat_api;
grant update (buyer_accepted_at, seller_accepted_at) on dispute_decisions to amanat_api;
grant update (hidden_by) on reviews to amanat_api;
grant update (released_at) on images to amanat_api;
grant update (saved_at) on image_blobs to amanat_api;
grant update (due_at) on picture_objects to amanat_api;
grant update (name) on payout_numbers to amanat_api;
grant update (frequency) on saved_searches to amanat_api;
-- The worker that mails a token creates it.
grant update (used_at) on mailed_tokens to amanat_api;
grant delete on sessions, posts, post_pictures, blocks, known_browsers, totp_secrets, passkeys, backup_codes, login_challenges, passkey_ceremonies,
  payout_numbers, push_subscriptions, saved_posts, saved_searches to amanat_api;
grant update (applied_at, ended_at) on email_changes to amanat_api;
grant execute on function ledger.balance to amanat_api;
grant select, insert on river.river_job to amanat_api;
-- River's insert of a duplicate unique job updates this column.
grant update (kind) on river.river_job to amanat_api;
grant select on river.river_migration to amanat_api;
grant usage on all sequences in schema public, river to amanat_api;

-- worker
grant select, insert, update on all tables in schema public to amanat_worker;
revoke insert, update on users, sessions, known_browsers, schema_migrations, support_requests, bug_reports, contact_messages,
  visitor_keys, email_changes, account_events, blocks, moderation_cases, moderation_reports, retired_usernames, closed_accounts,
  payout_numbers, consents, deal_invites, deal_proofs, deal_pictures, case_pictures, disputes, dispute_offers, dispute_decisions,
  dispute_entries, push_subscriptions, deal_counteroffers, post_pictures, saved_posts, saved_searches, post_views, post_words,
  payment_codes, unbooked_payments from amanat_worker;
-- The worker ends counter-offers with their deals, and erases what was written in them.
grant update (status, description) on deal_counteroffers to amanat_worker;
-- The worker settles disputes, reminds of answers and says so in the thread, but neither opens one
-- nor decides.
grant update (status, reminded_at, carry_out_at, ended_at) on disputes to amanat_worker;
grant update (status) on dispute_offers to amanat_worker;
grant update (carried_out_at, due_at) on dispute_decisions to amanat_worker;
grant insert, update (text, links) on dispute_entries to amanat_worker;
-- The worker records what it has told of a saved post.
grant update (told_price, told_at) on saved_posts to amanat_worker;
-- The worker records when a browser was sent a push.
grant update (last_used_at) on push_subscriptions to amanat_worker;
-- The worker ends suspensions that have run out.
grant update (disabled_at, suspended_by) on users to amanat_worker;
-- Only the api checks second factors. The worker deletes what has expired.
revoke all on totp_secrets, passkeys, backup_codes, login_challenges, passkey_ceremonies, paper_key from amanat_worker;
grant select (token_hash, expires_at), delete on login_challenges to amanat_worker;
grant select (session_id, expires_at), delete on passkey_ceremonies to amanat_worker;
-- What an SMS states stays. It is believed later than it comes, and erased with the account.
revoke update on payments from amanat_worker;
grant update (state, text, party, reference) on payments to amanat_worker;
revoke update on mailed_tokens, audit_log, user_events, deal_events, exchange_rates, books_checkpoints from amanat_worker;
grant delete on phone_deliveries, idempotency_keys, visitor_keys, user_events, sessions, known_browsers, mailed_tokens, images, image_blobs, books_checks,
  picture_objects, pauses, due_mails, due_pushes, push_subscriptions, email_changes, account_events to amanat_worker;
-- What people made is exported, and erased once their account is closed.
grant select (user_id, name, created_at, last_used_at) on passkeys to amanat_worker;
grant update (referral_code, unsubscribe_token, second_factor_reset_at, erased_at) on users to amanat_worker;
grant update (issue_description) on support_requests to amanat_worker;
grant update (params) on deal_events to amanat_worker;
grant update (username, title, text, price, facts, image_id, appeal) on moderation_cases to amanat_worker;
grant update (text) on moderation_reports to amanat_worker;
grant update (address) on consents to amanat_worker;
grant delete on posts, notifications, bug_reports, contact_messages, data_exports, data_export_parts, closed_accounts, blocks, payout_numbers,
  deal_invites, deal_pictures, case_pictures, saved_posts, saved_searches, new_posts, found_posts, payment_codes to amanat_worker;
grant select on all tables in schema ledger to amanat_worker;
grant execute on function ledger.post, ledger.post_many, ledger.balance, ledger.fold to amanat_worker;
grant select, insert, update, delete, truncate on all tables in schema river to amanat_worker;
-- River rebuilds its indexes every night.
grant maintain on all tables in schema river to amanat_worker;
grant maintain on post_words to amanat_worker;
grant usage, select on all sequences in schema public, river to amanat_worker;
grant execute on all functions in schema river to amanat_api, amanat_worker;
-- The worker seals the ledger and the audit log, but changes no seal. The api has no right at all.
grant usage on schema chain to amanat_worker;
grant select on all tables in schema chain to amanat_worker;
grant insert on chain.transfer_seals, chain.audit_seals, chain.heads to amanat_worker;
grant update on chain.progress to amanat_worker;
grant select on sequence ledger.transfers_id_seq to amanat_worker;
