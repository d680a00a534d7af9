package accounts

import (
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/fault"
)

func TestIsReserved(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"admin", "Adm1n", "aDMlN", "admin_", "_admin", "a-d-m-i-n", "superadmin", "Admin2026", "ad_min_karim",
		"Amanat-Support", "amanat_official", "AmanatEscrow", "support-team", "refund-desk", "bkash", "Bkash_Agent", "Nagad", "n4gad-nagad",
		"moderator", "0fficial", "OFFlClAL", "customer-care", "help_desk", "he1pline", "webmaster",
		"amanat", "Amanat_", "amanat-1", "AMANAT2026", "amanat10", "AmanatTeam", "amanat-pay", "amanat_help_desk", "amanat-customer-care",
		"TeamAmanat", "the_amanat", "real-amanat-bd", "amanatpayments",
		"AmanatAmanat", "Amanat-Manager", "Amanat-CEO", "Amanat-Agents", "AmanatPayout", "AmanatDispute", "AmanatTrust", "AmanatCom",
		"Amanat-Customers", "AmanatVerification", "Amanat-Bot", "pay-amanat-amanat-24",
		"help", "help24", "rahim_help", "Staff", "amanat-staff", "my_wallet", "billing-1", "contact", "system", "security-team", "0perator",
		"5upport", "4dmin", "bKa5h", "8kash", "moder4tor", "rnoderator", "Arnanat", "4rn4n4t-t3am", "CustomerService", "dispute-team",
		"trust_safety", "trust-and-safety", "kyc-desk", "noreply", "no-reply", "nogod", "Rocket-pay", "5taff",
		"me", "api", "info", "Inf0", "null", "root", "r00t", "undefined", "anonymous",
	} {
		require.True(t, isReserved(name), name)
	}
	for _, name := range []string{
		"rahim", "amanatullah", "Amanatullah_Khan", "amanat_khan", "amanat-ali", "karim_amanat", "amanat-amanatullah", "amanatbotany",
		"Amanot", "aman", "Nargis",
		"badminton", "badminton_bd", "stafford", "helper_rahim", "Shelpi", "mei", "melody", "mehedi", "api_akter", "info_tech", "rootful",
		"modasser", "modhu", "mahmud", "Nagib", "bikash", "prakash", "akash", "operators", "contactless", "systematic", "walleto",
		"amirul", "admiral", "Abdul-Karim", "rahim-7", "007", "team", "service_bd", "arnab", "rahim_5", "Nusrat34", "Barnali", "rocket",
	} {
		require.False(t, isReserved(name), name)
	}
}

func TestSignup_lookalike_username(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.signup(t, "seller")
	f.signup(t, "Karim_10")
	const lookalike = "This username looks like one that is taken. Please choose another."
	for _, name := range []string{"seIler", "se11er", "SELIER", "s-e-l-l-e-r", "_seller", "karim10", "karimlo", "KarIm-1O"} {
		_, err := f.Signup(t.Context(), input(name), Client{})
		requireFault(t, err, fault.Duplicate, lookalike)
		require.Contains(t, fault.As(err).Fields, "username")
		_, err = f.Create(t.Context(), input(name))
		requireFault(t, err, fault.Duplicate, lookalike)
	}
	_, err := f.Signup(t.Context(), input("SELLER"), Client{})
	requireFault(t, err, fault.Duplicate, "Username is already taken.")
	f.signup(t, "sellers")
	f.signup(t, "karim")
}

func TestCreate_concurrent_lookalikes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	names := []string{"rahil", "rahi1", "rahll", "ra-hil"}
	errs := make([]error, len(names))
	var group sync.WaitGroup
	for i, name := range names {
		group.Go(func() { _, errs[i] = f.Create(t.Context(), input(name)) })
	}
	group.Wait()
	refused := 0
	for _, err := range errs {
		if err != nil {
			require.Equal(t, fault.Duplicate, fault.CodeOf(err))
			refused++
		}
	}
	require.Equal(t, len(names)-1, refused)
}

// Names from before the rule stay, and the database computes the same skeletons as skeleton.
func TestSkeleton_matches_database(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i, name := range []string{"Ill-1_0O", "il_l1oo", "seIler", "seller", "__--", "Z9"} {
		_, err := f.owner.Exec(t.Context(), `
			insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
			values ($1, $2, $2 || '@example.com', '', $3, $4, $4)`, uuid.New(), name, string(rune('A'+i)), f.clock.Now())
		require.NoError(t, err)
	}
	rows, err := f.owner.Query(t.Context(), "select username, username_skeleton from users")
	require.NoError(t, err)
	type row struct{ Username, UsernameSkeleton string }
	all, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	require.NoError(t, err)
	require.Len(t, all, 6)
	for _, r := range all {
		require.Equal(t, skeleton(r.Username), r.UsernameSkeleton)
	}
}
