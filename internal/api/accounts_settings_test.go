package api_test

import (
	"image/color"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/ratelimit"
)

func TestSessions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b, elsewhere, stranger := f.member("rahim"), f.visitor(), f.member("karim")
	elsewhere.post("/auth/login", fields{"username": "rahim", "password": password}, "User-Agent", "Phone").want(200)
	f.clock.Advance(time.Minute)
	var list []api.Session
	b.get("/auth/sessions").want(200).into(&list)
	require.Len(t, list, 2)
	require.True(t, list[0].Current)
	require.False(t, list[1].Current)
	require.Equal(t, "Phone", list[1].UserAgent)
	require.Equal(t, "127.0.0.1", list[1].Address)
	require.True(t, list[0].LastSeenAt.After(list[1].LastSeenAt))

	other := "/auth/sessions/" + list[1].ID.String()
	stranger.do(http.MethodDelete, other, nil).refused(404, "not_found", "Session not found.")
	require.JSONEq(t, `{"message": "Session ended.", "outcome": "session_ended"}`, string(b.do(http.MethodDelete, other, nil).want(200).body))
	b.do(http.MethodDelete, other, nil).refused(404, "not_found", "Session not found.")
	elsewhere.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	b.get("/auth/check").want(200)
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.visitor()
	b.post("/auth/signup", fields{"username": "rahim", "email": "rahim@example.com", "password": password, "language": "bn"}).
		want(201).into(&b.user)
	require.Equal(t, "bn", b.user.Language)
	var user api.User
	b.do(http.MethodPut, "/auth/language", fields{"language": "en"}).want(200).into(&user)
	require.Equal(t, "en", user.Language)
	b.do(http.MethodPut, "/auth/language", fields{"language": "fr"}).refused(400, "invalid", "Language must be en or bn.")
	b.do(http.MethodPut, "/auth/language", nil).refused(400, "invalid", "Language must be en or bn.")
	b.get("/auth/check").want(200).into(&user)
	require.Equal(t, "en", user.Language)
}

// A money notice is mailed with the state of the deal's escrow and a link with which its reader
// unsubscribes.
func TestMailNotices(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	f.trust(buyer, seller)
	buyer.fund(boss, 300)
	buyer.active(seller, 100)
	mail := f.mailed(catcher, "seller@example.com", "buyer paid $100.00 into escrow for the deal. You can deliver now.")
	require.Contains(t, mail.Text, "Buyer buyer: $100.00 (Paid)")
	require.Contains(t, mail.Text, "Held by Amanat: $100.00 (Held until released)")
	require.Contains(t, mail.Text, "Seller seller: $98.00 (On completion)")
	require.Equal(t, "List-Unsubscribe=One-Click", mail.Header.Get("List-Unsubscribe-Post"))

	address := strings.Trim(mail.Header.Get("List-Unsubscribe"), "<>")
	path, found := strings.CutPrefix(address, f.url+"/api")
	require.True(t, found, address)
	v := f.visitor()
	v.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	looked := v.get(path).want(http.StatusSeeOther)
	page := looked.header.Get("Location")
	require.True(t, strings.HasPrefix(page, "/unsubscribe?token="), page)
	require.Contains(t, mail.Text, f.url+page)
	wants := func() bool {
		var me api.Me
		seller.get("/auth/me").want(200).into(&me)
		return me.MailNotices
	}
	require.True(t, wants(), "looking changes nothing")
	posted := v.do(http.MethodPost, path, "List-Unsubscribe=One-Click", "Content-Type", "application/x-www-form-urlencoded").want(200)
	require.JSONEq(t, `{"message": "You will get no more of these mails.", "outcome": "mails_stopped"}`, string(posted.body))
	require.False(t, wants())
	v.post("/mail/unsubscribe?token="+uuid.NewString(), nil).refused(400, "invalid", "Invalid or missing token")
	v.post("/mail/unsubscribe", nil).refused(400, "invalid", "Invalid or missing token")

	var me api.Me
	seller.do(http.MethodPut, "/auth/mail-notices", fields{"enabled": true}).want(200).into(&me)
	require.True(t, me.MailNotices)
	seller.do(http.MethodPut, "/auth/mail-notices", nil).refused(400, "invalid", "enabled must be true or false.")
}

// Others see until when a user is away, wherever they see the user.
func TestAway(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller, buyer := f.member("seller"), f.member("buyer")
	post := seller.publish(nil)
	day := func(ahead int) string {
		return f.clock.Now().In(clock.Dhaka).AddDate(0, 0, ahead).Format(time.DateOnly)
	}
	set := func(until string) reply {
		t.Helper()
		return seller.put("/auth/away", fields{"until": until})
	}
	for _, bad := range []string{day(-1), day(61), "tomorrow"} {
		require.Equal(t, 400, set(bad).status, bad)
	}
	set(day(61)).refused(400, "invalid", "Choose a day from today to 60 days ahead.")
	set(day(0)).want(200)
	var me api.User
	set(day(60)).want(200).into(&me)
	require.Equal(t, day(60), me.AwayUntil)
	seen := func() []string {
		t.Helper()
		var profile api.Profile
		var shown api.Post
		f.visitor().get("/auth/profile/seller").want(200).into(&profile)
		f.visitor().get(path(post)).want(200).into(&shown)
		var chats []struct{ Participants []api.PublicUser }
		buyer.get("/messages/conversations").want(200).into(&chats)
		var others []string
		for _, p := range chats[0].Participants {
			if p.ID == seller.user.ID {
				others = append(others, p.AwayUntil)
			}
		}
		return append(others, profile.User.AwayUntil, shown.CreatedBy.AwayUntil)
	}
	buyer.post("/messages/send-or-start", fields{"receiverId": seller.user.ID, "postId": post.ID}).want(201)
	require.Equal(t, []string{day(60), day(60), day(60)}, seen())
	set("").want(200)
	require.Equal(t, []string{"", "", ""}, seen())
}

func (b *browser) activity() (kinds []string, list []api.Activity) {
	b.t.Helper()
	b.get("/auth/activity").want(200).into(&list)
	for _, e := range list {
		kinds = append(kinds, e.Kind)
	}
	return kinds, list
}

func TestActivity(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	f.clock.Advance(time.Minute)
	f.visitor().post("/auth/login", fields{"username": "rahim", "password": "wrong-stone"}).want(401)
	f.visitor().post("/auth/login", fields{"username": "nobody", "password": "wrong-stone"}).want(401)
	f.visitor().do("POST", "/auth/login", fields{"username": "rahim", "password": password}, "User-Agent", "Firefox/140").want(200)
	rahim.do("DELETE", "/auth/sessions", nil).want(200)
	rahim.setsUpApp()
	rahim.post("/auth/change-password", fields{"currentPassword": password, "newPassword": "another-stone"}).want(200)

	kinds, list := rahim.activity()
	require.Equal(t, []string{"password_changed", "app_added", "others_ended", "login", "login_failed", "account_opened"}, kinds)
	require.Equal(t, "Firefox/140", list[3].UserAgent)
	require.Equal(t, "127.0.0.1", list[3].Address)
	kinds, _ = karim.activity()
	require.Equal(t, []string{"account_opened"}, kinds)

	f.clock.Advance(90*24*time.Hour - time.Minute)
	cleaner := accounts.Cleaner{DB: f.workerDB, Clock: f.clock, SessionClock: f.clock}
	removed, err := cleaner.RemoveOldEvents(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, removed, "the two accounts opened 90 days ago")
}

// Of codes, only those that were compared are recorded.
func TestActivity_codes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.SecondFactorLimit = ratelimit.Rate{Count: 2, Per: time.Hour} })
	rahim := f.member("rahim")
	app := rahim.setsUpApp()
	for range 4 {
		f.entersPassword("rahim", "totp,backup").entersCode(app.at(9))
	}
	kinds, _ := rahim.activity()
	require.Equal(t, []string{"factor_failed", "factor_failed", "app_added", "account_opened"}, kinds)
}

// Attempts that the limits refuse are not recorded: strangers cannot bury the owner's own events.
func TestActivity_is_not_flooded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.LoginAccountLimit = ratelimit.Rate{Count: 3, Per: time.Hour} })
	rahim := f.member("rahim")
	for range 9 {
		f.visitor().post("/auth/login", fields{"username": "rahim", "password": "wrong-stone"})
	}
	kinds, _ := rahim.activity()
	require.Len(t, slices.DeleteFunc(kinds, func(kind string) bool { return kind != "login_failed" }), 3)
}

func TestUpdateProfile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	change := func(picture any) reply {
		return b.do(http.MethodPut, "/auth/update-profile", fields{"profilePic": picture})
	}
	var user api.User
	change(pictureURL(t, color.White, 200, 200)).want(200).into(&user)
	require.Equal(t, "rahim@example.com", user.Email)
	require.Equal(t, 96, f.visitor().get(belowAPI(user.ProfilePic)+"?w=96").want(200).width(), "everybody sees it")
	first := user.ProfilePic

	b.get("/auth/check").want(200).into(&user)
	require.Equal(t, first, user.ProfilePic)
	change(first).want(200).into(&user)
	require.Equal(t, first, user.ProfilePic, "the picture it has")
	change(pictureURL(t, color.Black, 50, 50)).want(200).into(&user)
	require.NotEqual(t, first, user.ProfilePic)
	change("").want(200).into(&user)
	require.Empty(t, user.ProfilePic)

	change(nil).refused(400, "invalid", "Please select an image file!")
	b.do(http.MethodPut, "/auth/update-profile", nil).refused(400, "invalid", "Please select an image file!")
	change(first).refused(400, "invalid", "Please select an image file!")
	change(7).refused(400, "invalid", "profilePic must be a text.")
	change("data:image/svg+xml;base64,PHN2Zy8+").
		refused(400, "invalid", "This image cannot be read. Please choose a PNG, JPEG, WebP or GIF file.")
	b.get("/auth/check").want(200).into(&user)
	require.Empty(t, user.ProfilePic, "what is refused changes nothing")
}

// Three deliveries and three answers make a typical time; the partners, who answered nobody, have
// none.
func TestProfile_pace(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	partners := []*browser{buyer, f.member("salma"), f.member("karim")}
	for _, partner := range partners[1:] {
		partner.fund(boss, 10)
	}
	for _, partner := range partners {
		require.Nil(t, f.visitor().profile(seller).TypicalDeliveryHours)
		require.Nil(t, f.visitor().profile(seller).TypicalAnswerMinutes)
		talk := partner.opens(seller, fields{"text": "Salam"}).Conversation.ID
		f.clock.Advance(6*time.Minute + 30*time.Second)
		seller.says(talk, "Salam to you")
		deal := partner.active(seller, 1)
		f.clock.Advance(90 * time.Minute)
		seller.acts("deliver", deal, "Seller has delivered the deal", "Delivered")
		partner.post(complete(deal), nil).want(200)
	}
	seen := f.visitor().profile(seller)
	require.Equal(t, []int{2, 7}, []int{*seen.TypicalDeliveryHours, *seen.TypicalAnswerMinutes})
	require.Nil(t, f.visitor().profile(buyer).TypicalDeliveryHours)
	require.Nil(t, f.visitor().profile(buyer).TypicalAnswerMinutes)
}

type consent struct {
	Version, Address string
	AcceptedAt       time.Time
}

func (b *browser) consents() []consent {
	b.t.Helper()
	rows, err := b.fixture.owner.Query(b.t.Context(),
		`select version, address, accepted_at from consents where user_id = $1 order by version`, b.user.ID)
	require.NoError(b.t, err)
	defer rows.Close()
	var list []consent
	for rows.Next() {
		var c consent
		require.NoError(b.t, rows.Scan(&c.Version, &c.Address, &c.AcceptedAt))
		list = append(list, c)
	}
	require.NoError(b.t, rows.Err())
	return list
}

func TestSignup_accepts_terms(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	current := accounts.CurrentTerms()
	for name, version := range map[string]any{"known": current, "unknown": "1999-01-01", "none": nil} {
		b := f.visitor()
		b.post("/auth/signup", fields{
			"username": name, "email": name + "@example.com", "password": password, "termsVersion": version,
		}).want(http.StatusCreated).into(&b.user)
		require.Equal(t, current, b.user.Terms.AcceptedVersion, name)
		require.Equal(t, current, b.user.Terms.CurrentVersion, name)
		kept := b.consents()
		require.Len(t, kept, 1, name)
		require.Equal(t, current, kept[0].Version, name)
		require.Equal(t, "127.0.0.1", kept[0].Address, name)
		require.WithinDuration(t, b.user.CreatedAt, kept[0].AcceptedAt, time.Millisecond, name)
	}
}

// Each acceptance is kept with its time and address; accepting a version again changes nothing.
func TestAcceptTerms(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	member := f.member("member")
	_, err := f.owner.Exec(t.Context(), `update consents set version = '2020-01-01'`)
	require.NoError(t, err)
	var me api.Me
	member.get("/auth/me").want(200).into(&me)
	require.Equal(t, "2020-01-01", me.Terms.AcceptedVersion)
	require.Equal(t, accounts.CurrentTerms(), me.Terms.CurrentVersion)

	refused := member.post("/auth/terms", fields{"version": "2020-01-01"})
	refused.refused(409, "conflict", "The terms have changed. Please reload the page.")
	require.Contains(t, string(refused.body), `"reason":"terms_outdated"`)

	f.clock.Advance(time.Hour)
	var accepted api.TermsAccepted
	member.post("/auth/terms", fields{"version": accounts.CurrentTerms()}).want(200).into(&accepted)
	require.Equal(t, "terms_accepted", accepted.Code)
	require.Equal(t, accounts.CurrentTerms(), accepted.User.Terms.AcceptedVersion)
	f.clock.Advance(time.Hour)
	var again api.TermsAccepted
	member.post("/auth/terms", fields{"version": accounts.CurrentTerms()}).want(200).into(&again)
	require.Equal(t, accepted.User.Terms, again.User.Terms)
	require.Len(t, member.consents(), 2)
}

// Users from before consents were recorded accepted the first version when they signed up.
func TestTerms_accounts_of_before(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	member := f.member("member")
	_, err := f.owner.Exec(t.Context(), `delete from consents`)
	require.NoError(t, err)
	var user api.User
	member.get("/auth/check").want(200).into(&user)
	require.Equal(t, accounts.TermsVersions()[0], user.Terms.AcceptedVersion)
	require.WithinDuration(t, user.CreatedAt, user.Terms.AcceptedAt, time.Millisecond)
}

// An admin's password must be long if it has to be entered again before money moves.
func TestSetExchangeRate_weak_admin_password(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	// The password was set before its strength was recorded.
	_, err := f.owner.Exec(t.Context(), "update users set password_strong = false")
	require.NoError(t, err)
	rate := func() reply { return boss.do(http.MethodPut, "/admin/exchange-rate", fields{"usdToBdt": 120}) }
	change := func(fresh string) reply {
		return boss.post("/auth/change-password", fields{"currentPassword": password, "newPassword": fresh})
	}
	rate().refused(403, "weak_password", "Set a password of at least 12 characters first.")
	boss.get("/admin/users").want(200)
	change("twelve-chars").want(200)
	rate().want(200)
}

func TestEndOtherSessions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b, elsewhere := f.member("rahim"), f.visitor()
	elsewhere.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)
	ended := b.do(http.MethodDelete, "/auth/sessions", nil).want(200)
	require.JSONEq(t, `{"message": "All other sessions have ended.", "outcome": "other_sessions_ended"}`, string(ended.body))
	elsewhere.get("/auth/check").want(401)
	var list []api.Session
	b.get("/auth/sessions").want(200).into(&list)
	require.Len(t, list, 1)
	require.True(t, list[0].Current)
}
