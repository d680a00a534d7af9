package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

// A body that is not an object, null included, is refused before any lookup.
func TestBody_must_be_object(t *testing.T) {
	t.Parallel()
	f, d := newMatrixFixture(t), loadDocument(t)
	for _, c := range calls(f, d) {
		if c.fields == nil {
			continue
		}
		for _, body := range []string{"null", " null\n", "[]", "[{}]", "5", `"{}"`, "true"} {
			c.send(f.people[c.caller], body).refused(http.StatusBadRequest, "invalid", "The request body must be a JSON object.")
		}
	}
}

// Amounts may be written with exponents.
func TestAmount_exponent(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := func(price string) reply {
		return buyer.post("/deals/create", `{"description": "A", "deliveryDuration": 1, "buyerId": "`+buyer.user.ID.String()+
			`", "sellerId": "`+seller.user.ID.String()+`", "price": `+price+`}`)
	}
	for price, cents := range map[string]int64{"1e1": 1000, "1.5E1": 1500, "100e-2": 100} {
		var made api.DealDetail
		deal(price).want(http.StatusCreated).into(&made)
		require.EqualValues(t, cents, made.Price)
	}
	deal("1e-3").refused(400, "invalid", "price may have at most two decimals.")
}

// A number with a huge exponent is refused quickly.
func TestAmount_odd_values(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.member("buyer"), f.member("seller")
	buyer.post("/deals/create", `{"description": "A", "deliveryDuration": 1, "buyerId": "`+buyer.user.ID.String()+
		`", "sellerId": "`+seller.user.ID.String()+`", "price": 1e999999999999}`).refused(400, "invalid", "price is too large.")
}
