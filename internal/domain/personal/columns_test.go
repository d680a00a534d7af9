package personal

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

// fate is what becomes of a table's columns when an account is closed. Each column is in one list.
type fate struct {
	erased string // by an entry of erasures, or wholly by what "by" names
	by     string
	stays  string // columns that do not identify anybody, or only by the id of a user
	why    string // the columns in stays hold nothing personal, if that is not plain
	unread string // why an archive does not have the table's contents; "" if it has
}

const (
	closing   = "accounts.Service.Close"
	ownErase  = "a function of its own"
	technical = "has no contents of users"
)

// fates lists every table. What a new table or column holds has to be decided here.
var fates = map[string]fate{
	"ledger.accounts":  {stays: "id kind owner_id currency stored balance version"},
	"ledger.entries":   {stays: "transfer_id account_id currency amount balance_after version at xid"},
	"ledger.rollups":   {stays: "account_id upto_xid balance", unread: technical},
	"ledger.transfers": {stays: "id key kind request_hash entry_count actor_id reason at recorded_at", why: "the reason is an operator's"},
	"account_events":   {erased: "id user_id kind at address user_agent"},
	"corrections": {
		erased: "note",
		stays:  "id user_id amount reason status proposed_by proposed_at expires_at decided_by decided_at decision",
		why:    "the reasons are those of admins and explain a line of the books",
	},
	"audit_log": {
		stays: "id at actor_id action subject details", why: "details have ids, reasons of admins and operators' logins, no names of users",
		unread: "tells what admins did",
	},
	"backup_codes":      {erased: "user_id code_hash created_at used_at", by: closing, unread: "secrets"},
	"blocks":            {erased: "blocker_id blocked_id created_at"},
	"books_checks":      {stays: "rule broken checked_at", unread: technical},
	"books_checkpoints": {stays: "id checked_at whole_at settled horizon cluster", unread: technical},
	"bug_reports":       {erased: "id user_id name email subject description created_at"},
	"case_pictures":     {erased: "case_id image_id place", unread: "is in pictures/"},
	"closed_accounts": {
		erased: "user_id username email language closed_at", by: "the cleanup, after a day", unread: "there is none of an open account",
	},
	"consents":         {erased: "address", stays: "user_id version accepted_at"},
	"contact_messages": {erased: "id user_id name email message created_at"},
	"conversations":    {stays: "id user_a user_b started_by last_seq read_a read_b created_at updated_at answered post_id told_a told_b"},
	"data_export_parts": {
		erased: "export_id number data", by: ownErase, unread: "is the archive",
	},
	"checkouts": {
		erased: "payer url",
		stays: `id user_id deal_id deal_terms payment_method amount rate converted_amount created_at state failure code ref looked_at
			transaction_id paid_amount paid_at`,
		why: "a payment is credited once for ever",
	},
	"data_exports": {erased: "id user_id status requested_at ready_at expires_at size", by: ownErase, unread: "is about archives"},
	"deal_counteroffers": {
		erased: "description", stays: "id deal_id made_by price fee delivery_days inspection_days status created_at",
	},
	"deal_events": {erased: "params", stays: "id deal_id kind actor_id at"},
	"deal_invites": {
		erased: `id code maker_id maker_buys price description delivery_days inspection_days email phone created_at expires_at revoked_at
			deal_id`,
	},
	"deal_pictures": {erased: "image_id deal_id event_id place created_at in_dispute entry_id", by: "the cleanup, a day after the images"},
	"deal_proofs":   {stays: "deal_id code shown changed_by changed_at"},
	"deals": {
		erased: "description description_erased courier tracking_number",
		stays: `id buyer_id seller_id created_by price fee delivery_days inspection_days status created_at due_at activated_at delivered
			delivered_at first_delivered_at cancellation_requested cancellation_declined closed_at removed_at requests cancellation_asked_at
			reset_at next_action next_action_at warned_at frozen_at frozen_for escalated_at close_reason suspended_at accepted_at refunded_amount
			reminded_at settled_fee terms counteroffer_by described_by arrived_at`,
	},
	"deposits": {
		stays: `id user_id payment_method transaction_id claimed_amount amount rate converted_amount status reason reason_code created_at
			handled_at handled_by claimed_by claimed_until proposed_amount proposed_reason proposed_by proposed_at deal_id payment_id paid_amount
			deal_terms unreported receiver`,
		why: "a payment is credited once for ever; the reasons are those of admins",
	},
	"dispute_decisions": {
		stays: `id dispute_id final decided_by buyer_gets seller_gets fee reason decided_at due_at buyer_accepted_at seller_accepted_at
			carried_out_at`,
		why: "the reason is an admin's", unread: "tells what admins did",
	},
	"dispute_entries": {erased: "text links", stays: "id dispute_id author_id kind offer_id decision_id at"},
	"dispute_offers":  {stays: "id dispute_id made_by buyer_gets seller_gets fee status created_at"},
	"disputes": {
		stays: `id deal_id opened_by reason status created_at answer_due_at answered_at reminded_at claimed_by claimed_until appealed_by
			appealed_at carry_out_at ended_at freezes`,
		why: "the reason is one of a list",
	},
	"due_mails": {erased: "notification_id due_at attempts last_error", by: "the deletion of the notification", unread: technical},
	"due_pushes": {
		erased: "id subscription_id topic notification_id message_id created_at due_at attempts last_error", by: "the sweep of pushes",
		unread: technical,
	},
	"found_posts":      {erased: "user_id post_id search_id found_at", unread: technical},
	"email_changes":    {erased: "id user_id old_email new_email old_verified requested_at applied_at ended_at"},
	"pauses":           {stays: "area reason paused_at", unread: technical},
	"paper_key":        {stays: "single key", unread: technical},
	"exchange_rates":   {stays: "id usd_to_bdt set_by set_at", unread: technical},
	"idempotency_keys": {erased: "user_id key request_hash resource_id created_at", unread: "repeats what other files have"},
	"image_blobs":      {erased: "hash saved_at", by: "the cleanup, a day after the last image", unread: "is in pictures/"},
	"image_variants": {
		erased: "hash width height content_type data object", by: "the cleanup, a day after the last image", unread: "is in pictures/",
	},
	"picture_objects":  {erased: "id digest size due_at ending", by: "the cleanup, a day after the last image", unread: "is in pictures/"},
	"images":           {erased: "id blob_hash owner_id conversation_id width height created_at released_at", unread: "is in pictures/"},
	"known_browsers":   {erased: "token_hash user_id at_signup created_at last_login_at"},
	"login_challenges": {erased: "token_hash user_id ceremony attempts created_at expires_at", by: closing, unread: "lasts ten minutes"},
	"mailed_tokens": {
		erased: "token_hash user_id purpose created_at expires_at used_at withdrawal_id email_change_id case_id", unread: "secrets",
	},
	"messages": {
		erased: "text image_id client_key erased deal_event_id", by: ownErase, stays: "id conversation_id seq sender_id created_at",
	},
	"moderation_cases": {
		erased: "username title text price facts image_id appeal",
		stays: `id subject subject_id accused_id category rating first_reported_at claimed_by claimed_until action reason suspended_until
			decided_by decided_at appealed_at overturned answer appeal_decided_by appeal_decided_at`,
		why: "reason and answer are those of admins",
	},
	"moderation_reports": {erased: "text", stays: "id case_id reporter_id reason created_at", why: "the reason is one of a list"},
	"new_posts":          {erased: "post_id", by: "the deletion of the post", unread: technical},
	"notifications": {
		erased: "id user_id audience kind params about_user_id link is_read mailed_at created_at", unread: "is written by Amanat",
	},
	"operations": {
		erased: "params error_message error_params",
		stays:  "id kind subject actor_id status result error_code shortfall created_at finished_at error_reason request_id",
	},
	"passkey_ceremonies": {erased: "session_id purpose ceremony expires_at", by: closing, unread: "lasts minutes"},
	"passkeys": {
		erased: "id user_id credential_id public_key sign_count backup_eligible transports name created_at last_used_at", by: closing,
	},
	"payments": {
		erased: "text unread_text party reference",
		stays:  "id receiver_id digest state forwarded_at outgoing amount fee balance transaction_id made_at",
		why:    "a payment is credited once for ever",
	},
	"phone_deliveries": {
		erased: "id phone body stamp signature received_at", by: "the worker that reads it, at once", unread: technical,
	},
	"checkout_providers": {
		stays: "payment_method seen_at down_until token token_until asked_at asked_before", unread: technical,
	},
	"receivers":      {stays: "id phone sim payment_method balance opening entered heard_at broken_at", unread: technical},
	"payment_codes":  {erased: "code user_id created_at deal_id deal_terms aimed_at receivers"},
	"payout_numbers": {erased: "id user_id name payment_method phone_number created_at"},
	"post_pictures":  {erased: "post_id place image_id", by: "the deletion of the post"},
	"post_views":     {erased: "post_id seen", by: "the deletion of the post", unread: "counts what others did"},
	"post_words":     {erased: "word", by: "the next refresh, within ten minutes", unread: "repeats words of posts"},
	"posts": {
		erased: "id created_by title description price category subcategory image_id tags facts created_at updated_at place document hidden_by",
	},
	"push_subscriptions": {
		erased: "id user_id session_id endpoint p256dh auth user_agent created_at renewed_at last_used_at",
	},
	"referral_rewards":  {stays: "id deal_id referred_id referrer_id amount created_at credited_at"},
	"retired_usernames": {stays: "skeleton_hash retired_at", why: "a hash belongs to no account", unread: "there is none of an open account"},
	"reviews":           {erased: "comment", stays: "id deal_id reviewer_id reviewed_id rating created_at hidden_by counts"},
	"saved_posts":       {erased: "user_id post_id price told_price told_at created_at"},
	"saved_searches": {
		erased: "id user_id search category subcategory min_price max_price facts frequency created_at patterns key facts_path",
	},
	"schema_migrations": {stays: "version name checksum applied_at", unread: technical},
	"sessions": {
		erased: `id user_id token_hash user_agent address created_at last_seen_at expires_at password_confirmed_at factor_confirmed_at
			mail_confirmed_at`,
	},
	"support_requests": {
		erased: "issue_description", stays: "id deal_id user_id created_at closed_at closed_by answer freezes", why: "an admin wrote the answer",
	},
	"totp_secrets":      {erased: "user_id secret created_at confirmed_at last_step", by: closing, unread: "secrets"},
	"unbooked_payments": {stays: "id receiver_id outgoing amount forwarded_at", unread: technical},
	"user_events":       {erased: "user_id seq id type payload at", unread: "repeats what other files have"},
	"user_seq":          {stays: "user_id seq", unread: technical},
	"users": {
		erased: `username email password_hash profile_pic is_verified language referral_code mail_notices unsubscribe_token password_reset_at
			mail_off push_off push_details quiet_from quiet_to away_until
			withdrawals_stopped_at password_strong username_skeleton second_factor_since second_factor_reset_at email_changed_at factor_added_at`,
		stays: "id is_admin referred_by terms_accepted_at created_at disabled_at withdrawals_held_at closed_at erased_at suspended_by",
	},
	"visitor_keys": {stays: "hash resource_id created_at", why: "belong to visitors", unread: "belongs to visitors"},
	"withdrawals": {
		erased: "phone_number",
		stays: `id user_id payment_method amount rate converted_amount transaction_id status reason requested_at handled_at handled_by claimed_by
			claimed_at claimed_until held_until held_reasons confirmed_at cancelled_at disowned_at payment_id`,
		why: "the reason is an admin's",
	},
}

// Every column of the database is erased with a closed account or holds nothing personal, and every
// table is in the archive of a user's data or says why not.
func TestEveryColumn(t *testing.T) {
	t.Parallel()
	type tableRow struct {
		Name    string
		Columns []string
	}
	db := dbtest.New(t).Owner()
	tables, err := postgres.Query[tableRow]("test.columns", `
		select case relnamespace when 'public'::regnamespace then '' else relnamespace::regnamespace || '.' end || relname as name,
		       array_agg(attname::text order by attname) as columns
		  from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
		 where relnamespace in ('public'::regnamespace, 'ledger'::regnamespace) and relkind in ('r', 'v', 'm')
		 group by 1`).Many(t.Context(), db, nil)
	require.NoError(t, err)
	found := map[string][]string{}
	for _, table := range tables {
		found[table.Name] = table.Columns
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(found)), slices.Collect(maps.Keys(fates)), "tables")
	for table, columns := range found {
		f := fates[table]
		listed := append(strings.Fields(f.erased), strings.Fields(f.stays)...)
		require.ElementsMatch(t, columns, listed, "columns of %s: erased, or holding nothing personal", table)
		erases := slices.ContainsFunc(erasures, func(e erasure) bool { return e.table == table })
		require.Equal(t, f.erased != "" && f.by == "", erases, "%s is erased by an entry of erasures", table)
		exports := slices.ContainsFunc(sources, func(s source) bool { return slices.Contains(s.tables, table) })
		require.Equal(t, f.unread == "", exports, "%s is in the archive", table)
	}
}

// Names of statements and files are unique, and the readme names every file.
func TestSources_names(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	once := func(name string) {
		require.False(t, seen[name], "%s twice", name)
		require.NotEmpty(t, name)
		seen[name] = true
	}
	for _, s := range sources {
		once(s.name)
		once(s.file)
		for _, language := range []string{"en", "bn"} {
			require.Contains(t, readmeOf(owner{Language: language}, testTime, 0), fmt.Sprintf("\n%s ", s.file))
		}
	}
	for _, e := range erasures {
		once(e.name)
	}
}
