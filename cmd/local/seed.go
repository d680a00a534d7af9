package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"amanat/internal/accounts"
)

const (
	demoPassword = "amanat-demo"
	day          = 24 * time.Hour
	// seedSpan is how long ago the demo's story begins. Business time starts that much behind and has caught up when the story is told.
	seedSpan = 12 * day
)

// seed tells the demo's story to an empty database: three people, money that came in, deals in every state, money that went out. Each
// step goes through the front door, as the people would do it.
func seed(ctx context.Context, p *processes, clock *businessClock) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return serve(ctx, p.site.HTTP(""), listener) })
	group.Go(func() error {
		defer stop()
		s := &story{base: "http://" + listener.Addr().String(), clock: clock, left: seedSpan}
		if err := s.meet(ctx, p.accounts); err != nil {
			return fmt.Errorf("demo accounts: %w", err)
		}
		if err := s.tell(ctx); err != nil {
			return fmt.Errorf("demo data: %w", err)
		}
		return nil
	})
	return group.Wait()
}

// story moves through the past, from seedSpan ago to now.
type story struct {
	base  string
	clock *businessClock
	left  time.Duration

	admin, buyer, seller *person
}

// ago moves business time forward to so long before the end of the story.
func (s *story) ago(before time.Duration) {
	s.clock.Advance(s.left - before)
	s.left = before
}

func (s *story) meet(ctx context.Context, accountsOf *accounts.Service) error {
	for _, who := range []struct {
		name string
		to   **person
	}{{"admin", &s.admin}, {"buyer", &s.buyer}, {"seller", &s.seller}} {
		user, err := accountsOf.Create(ctx, accounts.SignupInput{
			Username: who.name, Email: who.name + "@amanat.example", Password: demoPassword,
		})
		if err != nil {
			return err
		}
		if *who.to, err = signIn(ctx, s.base, user.Username, demoPassword); err != nil {
			return err
		}
	}
	_, err := accountsOf.GrantAdmin(ctx, "admin")
	return err
}

// tell ends with 500.00 USD in the buyer's wallet: 885.00 came in and 385.00 is in deals.
func (s *story) tell(ctx context.Context) error {
	if err := s.admin.call(ctx, http.MethodPut, "/admin/exchange-rate", fields{"usdToBdt": 122.40}, nil); err != nil {
		return err
	}
	deposits := []struct {
		before              time.Duration
		amount              float64
		method, transaction string
	}{
		{seedSpan - time.Hour, 500, "Bkash", "CKL7QX2M9D"},
		{seedSpan - 3*time.Hour, 385, "Nagad", "74R1ZK8W"},
	}
	for _, d := range deposits {
		s.ago(d.before)
		if err := s.deposit(ctx, d.amount, d.method, d.transaction); err != nil {
			return err
		}
	}
	if err := s.posts(ctx); err != nil {
		return err
	}
	if err := s.deals(ctx); err != nil {
		return err
	}
	if err := s.reviews(ctx); err != nil {
		return err
	}
	s.ago(0)
	return nil
}

func (s *story) deposit(ctx context.Context, amount float64, method, transaction string) error {
	var reported struct {
		Deposit resource `json:"deposit"`
	}
	report := fields{"amount": amount, "transactionId": transaction, "paymentMethod": method}
	if err := s.buyer.call(ctx, http.MethodPost, "/auth/deposit", report, &reported); err != nil {
		return err
	}
	s.ago(s.left - 20*time.Minute)
	approval := fields{"amount": amount, "userId": s.buyer.id}
	return s.admin.call(ctx, http.MethodPost, "/admin/deposit/approve/"+reported.Deposit.ID, approval, nil)
}

// deals leaves one deal in each state that people can bring it to.
func (s *story) deals(ctx context.Context) error {
	s.ago(11 * day)
	completed, err := s.deal(ctx, 120, 5, "Facebook page about home cooking, 12,400 followers. I hand over the admin role and the linked Instagram account.")
	if err != nil {
		return err
	}
	s.ago(9 * day)
	if err := s.seller.call(ctx, http.MethodPost, "/deals/deliver/"+completed, nil, nil); err != nil {
		return err
	}
	// Three days to deliver: late by now.
	if _, err := s.deal(ctx, 75, 3, "Logo and business card for a clothing shop. Source files in SVG and PDF."); err != nil {
		return err
	}
	s.ago(8 * day)
	if err := s.buyer.call(ctx, http.MethodPost, "/deals/complete/"+completed, nil, nil); err != nil {
		return err
	}
	if err := s.withdraw(ctx); err != nil {
		return err
	}
	s.ago(4 * day)
	delivered, err := s.deal(ctx, 90, 5, "Landing page for a tutoring centre: one page, Bangla and English, works on phones.")
	if err != nil {
		return err
	}
	s.ago(2 * day)
	if _, err := s.deal(ctx, 100, 7, "YouTube channel about travel in Bangladesh, 3,100 subscribers, no strikes."); err != nil {
		return err
	}
	s.ago(day)
	if err := s.seller.call(ctx, http.MethodPost, "/deals/deliver/"+delivered, nil, nil); err != nil {
		return err
	}
	s.ago(5 * time.Hour)
	_, err = s.propose(ctx, 60, 4, "Ten product photos with a white background, edited and ready for a shop page.")
	return err
}

// propose lets the seller offer a deal, which the buyer has yet to pay.
func (s *story) propose(ctx context.Context, price float64, days int, description string) (id string, err error) {
	var deal resource
	err = s.seller.call(ctx, http.MethodPost, "/deals/create", fields{
		"price": price, "description": description, "deliveryDuration": days, "buyerId": s.buyer.id, "sellerId": s.seller.id,
	}, &deal)
	return deal.ID, err
}

func (s *story) deal(ctx context.Context, price float64, days int, description string) (id string, err error) {
	if id, err = s.propose(ctx, price, days, description); err != nil {
		return "", err
	}
	s.ago(s.left - 30*time.Minute)
	return id, s.buyer.call(ctx, http.MethodPost, "/deals/pay/"+id, nil, nil)
}

func (s *story) withdraw(ctx context.Context) error {
	s.ago(s.left - time.Hour)
	var submitted struct {
		Withdrawal resource `json:"withdrawal"`
	}
	order := fields{"amount": 100, "phonenumber": "01712345678", "paymentMethod": "Bkash"}
	if err := s.seller.call(ctx, http.MethodPost, "/withdraw", order, &submitted); err != nil {
		return err
	}
	s.ago(s.left - 40*time.Minute)
	payout := fields{"amount": 100, "transactionId": "CKM2T8H5QA"}
	return s.admin.call(ctx, http.MethodPost, "/admin/withdrawals/"+submitted.Withdrawal.ID+"/send", payout, nil)
}
