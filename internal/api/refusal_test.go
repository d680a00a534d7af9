package api_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/money/operations"
)

// idOf maps a path prefix to the ID of an existing resource.
type idOf map[string]string

func (ids idOf) fill(path string) string {
	for prefix, id := range ids {
		if strings.HasPrefix(path, prefix) {
			path = strings.ReplaceAll(path, "{id}", id)
		}
	}
	user := ids["/admin/users"]
	return strings.NewReplacer("{id}", uuid.NewString(), "{username}", "boss", "{code}", "k7m2p9qa4x", "{phone}", "shop",
		"{userId}", user, "{otherUserId}", user, "{userId1}", user, "{userId2}", user, "{offerId}", uuid.NewString()).Replace(path)
}

// arrange creates resources that an admin may act on, so that only the tested rule refuses a call.
func arrange(t *testing.T) (f *fixture, boss *browser, ids idOf) {
	t.Helper()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	var deposit api.DepositSubmitted
	buyer.post("/auth/deposit", fields{"amount": 10, "transactionId": transactionID(), "paymentMethod": "Bkash"}).want(201).into(&deposit)
	var withdrawal api.WithdrawalSubmitted
	buyer.post("/withdraw", fields{"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).want(201).into(&withdrawal)
	buyer.post("/deals/support", fields{"dealId": deal.ID, "issueDescription": "Help"}).want(201)
	var support []api.SupportRequest
	boss.get("/admin/support-request").want(200).into(&support)
	seller.reportsUser(buyer.user.ID.String()).want(201)
	dispute := buyer.disputes(buyer.active(seller, 1))
	receiver := uuid.NewString()
	_, err := f.owner.Exec(t.Context(), `insert into receivers (id, phone, sim, payment_method, heard_at, broken_at)
		values ($1, 'shop', 1, 'Bkash', now(), now())`, receiver)
	require.NoError(t, err)
	return f, boss, idOf{
		"/admin/deposit": deposit.Deposit.ID.String(), "/admin/withdrawals": withdrawal.Withdrawal.ID.String(),
		"/admin/deals": deal.ID.String(), "/admin/support-request": support[0].ID.String(), "/admin/users": buyer.user.ID.String(),
		"/admin/reports": boss.openCase().ID.String(), "/admin/disputes": dispute.ID.String(),
		"/admin/receivers": receiver, "/admin/corrections": boss.proposes(buyer.user.ID, "credit", 1).ID.String(),
	}
}

// Every documented call refuses cross-site requests, oversized bodies, invalid pages and invalid
// idempotency keys.
func TestRouter_edge_errors(t *testing.T) {
	t.Parallel()
	f, boss, ids := arrange(t)
	member := f.member("member")
	boss.provesOwnership()
	unknown := []string{"1", "undefined", uuid.NewString()}
	for path, methods := range theContract().document.Paths {
		for method, operation := range methods {
			method, target := strings.ToUpper(method), ids.fill(path)
			if len(operation.Security) > 0 {
				f.visitor().do(method, target, "{").refused(401, "unauthenticated", "Please log in to continue.")
			} else {
				require.NotContains(t, string(f.visitor().do(method, target, "{").body), "unauthenticated", path)
			}
			for _, id := range unknown {
				if strings.Contains(path, "{id}") {
					nothing := strings.ReplaceAll(path, "{id}", id)
					require.Equal(t, "not_found", decodeFailure(t, member.do(method, nothing, "{").want(404)).Code)
					require.Equal(t, "not_found", decodeFailure(t, boss.do(method, nothing, nil).want(404)).Code)
				}
			}
			if strings.HasPrefix(path, "/admin/") {
				member.do(method, target, "{").refused(403, "forbidden", "Only admins may do this.")
				if operation.RequestBody != nil {
					boss.do(method, target, "[]").refused(400, "invalid", "The request body must be a JSON object.")
				}
			}
			if method == http.MethodGet {
				if operation.takes("page") {
					boss.get(target+"?page=0&user="+boss.user.ID.String()).refused(400, "invalid", "page must be a whole number from 1.")
				}
				continue
			}
			boss.do(method, target, fields{}, "Sec-Fetch-Site", "cross-site").
				refused(403, "forbidden", "This request came from another site.")
			boss.do(method, target, fields{"filler": strings.Repeat("x", sizeOf(path))}).want(413)
			if operation.takes("Idempotency-Key") {
				boss.do(method, target, fields{}, "Idempotency-Key", "two words").
					refused(400, "invalid", "The Idempotency-Key must be 1 to 200 visible ASCII characters.")
			}
		}
	}
	require.NotContains(t, f.log.String(), `"code":"internal"`)
}

// Any second decision of an admin on the same request is refused with already_handled.
func TestAdmin_already_handled(t *testing.T) {
	t.Parallel()
	_, boss, ids := arrange(t)
	deposit, withdrawal := ids["/admin/deposit"], ids["/admin/withdrawals"]
	boss.post("/admin/withdrawals/"+withdrawal+"/claim", nil).want(200)
	boss.post("/admin/withdrawals/"+withdrawal+"/reject", nil).want(200)
	boss.post("/admin/deposit/reject/"+deposit, nil).want(200)
	for path, body := range map[string]any{
		"/admin/withdrawals/" + withdrawal + "/claim":  nil,
		"/admin/withdrawals/" + withdrawal + "/reject": nil,
		"/admin/withdrawals/" + withdrawal + "/send":   fields{"amount": 10},
		"/admin/deposits/" + deposit + "/claim":        nil,
		"/admin/deposits/" + deposit + "/confirm":      fields{"amount": 10},
		"/admin/deposit/reject/" + deposit:             nil,
		"/admin/deposit/approve/" + deposit:            fields{"amount": 10, "userId": ids["/admin/users"]},
	} {
		require.Equal(t, "already_handled", decodeFailure(t, boss.post(path, body).want(409)).Code, path)
	}
}

func TestPassword_guesses_rate_limited(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.PasswordLimit = ratelimit.Rate{Count: 1, Per: time.Hour} })
	for path, guess := range map[string]fields{
		"/auth/confirm-password": {"password": "wrong1"},
		"/auth/change-password":  {"currentPassword": "wrong1", "newPassword": "another1"},
	} {
		b := f.member(strings.TrimPrefix(path, "/auth/"))
		b.post(path, guess).want(400)
		b.post(path, guess).refused(429, "rate_limited", "Too many attempts. Please try again later.")
	}
}

// Without workers, every call that moves money answers 202 with its operation.
func TestOperations_without_workers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	stop := f.work()
	boss, buyer, seller := f.market()
	id := func() string { return buyer.active(seller, 10).ID.String() }
	cancelled := id()
	offered, decided, appealed := buyer.disputed(seller, 10), buyer.disputed(seller, 10), buyer.disputed(seller, 10)
	offer := seller.offersSplit(offered, 4).ID.String()
	boss.rulesOn(decided, 5).want(200)
	seller.post(dispute(decided, "accept"), nil).want(200)
	boss.rulesOn(appealed, 5).want(200)
	buyer.post(dispute(appealed, "appeal"), fields{"text": "No."}).want(200)
	other := f.admin("other")
	buyer.post("/deals/cancel/"+cancelled, nil).want(200)
	withdraw := fields{"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"}
	var sent, rejected, unwanted api.WithdrawalSubmitted
	buyer.post("/withdraw", withdraw).want(201).into(&sent)
	buyer.post("/withdraw", withdraw).want(201).into(&rejected)
	buyer.post("/withdraw", withdraw).want(201).into(&unwanted)
	buyer.confirms(sent.Withdrawal.ID)
	var deposit api.DepositSubmitted
	buyer.post("/auth/deposit", fields{"amount": 10, "transactionId": transactionID(), "paymentMethod": "Bkash"}).want(201).into(&deposit)
	declined := buyer.acts("pay", buyer.propose(seller, 10), "Deal activated!", "Active").Deal
	calls := []struct {
		by   *browser
		path string
		body any
	}{
		{buyer, pay(buyer.propose(seller, 10)), nil},
		{buyer, "/deals/complete/" + id(), nil},
		{seller, "/deals/cancel/" + id(), nil},
		{seller, "/deals/accept-cancellation/" + cancelled, nil},
		{boss, "/admin/deals/complete/" + id(), nil},
		{boss, "/admin/deals/cancel/" + id(), nil},
		{boss, "/admin/deposit/approve/" + deposit.Deposit.ID.String(), fields{"amount": 10, "userId": buyer.user.ID}},
		{boss, "/admin/withdrawals/" + sent.Withdrawal.ID.String() + "/send", fields{"amount": 10}},
		{boss, "/admin/withdrawals/" + rejected.Withdrawal.ID.String() + "/reject", nil},
		{buyer, "/withdraw/" + unwanted.Withdrawal.ID.String() + "/cancel", nil},
		{buyer, "/withdraw", withdraw},
		{buyer, dispute(offered, "offers/"+offer+"/accept"), nil},
		{buyer, dispute(decided, "accept"), nil},
		{other, "/admin" + dispute(appealed, "appeal/decide"), ruling(5)},
	}
	stop()
	replies := make([]reply, len(calls))
	var group sync.WaitGroup
	for i, call := range calls {
		group.Go(func() { replies[i] = call.by.post(call.path, call.body) })
	}
	group.Go(func() { seller.do(http.MethodDelete, remove(declined), nil).want(http.StatusAccepted) })
	group.Wait()
	for i, call := range calls {
		var pending api.Underway
		replies[i].want(http.StatusAccepted).into(&pending)
		require.Equal(t, operations.Pending, pending.Operation.Status, call.path)
	}
}

// sizeOf returns a body size over the limit of the call.
func sizeOf(path string) int {
	if strings.HasPrefix(path, "/posts") || strings.HasPrefix(path, "/messages") || path == "/auth/update-profile" ||
		path == "/deals/{id}/pictures" || path == "/deals/{id}/dispute/pictures" {
		return 7<<20 + 1
	}
	return 64<<10 + 1
}
