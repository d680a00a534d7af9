package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

const (
	crowdedPair  = "Ten deals between you two wait to be accepted. Wait for an answer to them first."
	crowdedMaker = "Fifty of your deals wait to be accepted. Wait for an answer to some of them first."
)

// Concurrently created deals count too: at most ten wait between two users, whichever of them made
// the deals.
func TestCreateDeal_pair_limit(t *testing.T) {
	t.Parallel()
	_, _, one, other := newFixtureWithUsers(t)
	const tries = 16
	answers := make([]reply, tries)
	var group sync.WaitGroup
	for i := range tries {
		buyer, seller := one, other
		if i%2 == 1 {
			buyer, seller = other, one
		}
		draft := fields{
			"price": 1, "description": "A", "deliveryDuration": 1, "buyerId": buyer.user.ID, "sellerId": seller.user.ID,
		}
		group.Go(func() { answers[i] = buyer.post("/deals/create", draft) })
	}
	group.Wait()
	var made []api.DealDetail
	for _, answer := range answers {
		if answer.status != http.StatusCreated {
			answer.refused(409, "conflict", crowdedPair)
			continue
		}
		var deal api.DealDetail
		answer.into(&deal)
		made = append(made, deal)
	}
	require.Len(t, made, 10)

	other.proposeToBuyer(one, 1) // needs no acceptance
	seller := one
	if made[0].Seller.ID == other.user.ID {
		seller = other
	}
	seller.do(http.MethodPut, accept(made[0]), nil).want(200)
	one.propose(other, 1)
	one.post("/deals/create", fields{
		"price": 1, "description": "A", "deliveryDuration": 1, "buyerId": one.user.ID, "sellerId": other.user.ID,
	}).refused(409, "conflict", crowdedPair)
}

func TestCreateDeal_maker_limit(t *testing.T) {
	t.Parallel()
	f, _, buyer, _ := newFixtureWithUsers(t)
	var sellers []*browser
	for i := range 6 {
		sellers = append(sellers, f.member(fmt.Sprintf("seller%d", i)))
	}
	for i := range 49 {
		buyer.propose(sellers[i/10], 1)
	}
	const tries = 6
	answers := make([]reply, tries)
	var group sync.WaitGroup
	for i := range tries {
		draft := fields{
			"price": 1, "description": "A", "deliveryDuration": 1, "buyerId": buyer.user.ID, "sellerId": sellers[4+i%2].user.ID,
		}
		group.Go(func() { answers[i] = buyer.post("/deals/create", draft) })
	}
	group.Wait()
	var made int
	for _, answer := range answers {
		if answer.status == http.StatusCreated {
			made++
			continue
		}
		require.Contains(t, string(answer.body), "wait to be accepted")
	}
	require.Equal(t, 1, made)
	buyer.post("/deals/create", fields{
		"price": 1, "description": "A", "deliveryDuration": 1, "buyerId": buyer.user.ID, "sellerId": sellers[5].user.ID,
	}).refused(409, "conflict", crowdedMaker)
	sellers[5].propose(buyer, 1) // counts for the other maker
}
