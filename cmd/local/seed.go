package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/referrals"
	"amanat/internal/domain/trust"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

const (
	demoPassword = "amanat-demo"
	day          = 24 * time.Hour
	// seedSpan is how far in the past the demo's story begins. Business time starts that far behind
	// and has caught up at the end of the story.
	seedSpan = 12 * day
)

// seed fills an empty database with the demo data: users, deposits, deals in every state,
// withdrawals, and work for an admin. Each step is a request such as the user would make.
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
		if err := s.meet(ctx, p.accounts, p.admins); err != nil {
			return fmt.Errorf("demo accounts: %w", err)
		}
		if err := s.tell(ctx); err != nil {
			return fmt.Errorf("demo data: %w", err)
		}
		return nil
	})
	return group.Wait()
}

// story creates the demo data while business time moves from seedSpan ago to now.
type story struct {
	base  string
	clock *businessClock
	left  time.Duration

	admin, buyer, seller *person
	// Their deals and deposits give the admin work.
	nusrat, karim *person
	// people are all users, by username.
	people map[string]*person
}

// ago moves business time forward to the given time before the end of the story.
func (s *story) ago(before time.Duration) {
	s.clock.Advance(s.left - before)
	s.left = before
}

// meet creates the demo's users. admins uses the login of the database's owner, the only one that
// can grant the admin role.
func (s *story) meet(ctx context.Context, accountsOf, admins *accounts.Service) error {
	met := map[string]*person{}
	for _, name := range []string{"admin", "sadia", "buyer", "seller", "nusrat", "karim", "farhana", "rakib", "sumaiya"} {
		user, err := accountsOf.Create(ctx, accounts.SignupInput{
			Username: name, Email: name + "@amanat.example", Password: demoPassword,
		})
		if err != nil {
			return err
		}
		if _, err := accountsOf.MarkVerified(ctx, user.Username); err != nil {
			return err
		}
		if met[name], err = signIn(ctx, s.base, user.Username, demoPassword); err != nil {
			return err
		}
	}
	s.admin, s.buyer, s.seller, s.people = met["admin"], met["buyer"], met["seller"], met
	s.nusrat, s.karim = met["nusrat"], met["karim"]
	for _, name := range []string{"admin", "sadia"} { // two, because admins share the queues
		if _, err := admins.GrantAdmin(ctx, name, ""); err != nil {
			return err
		}
	}
	return nil
}

// tell creates the demo data. It ends with 500.00 USD in the buyer's wallet: 984.00 were deposited,
// 218.00 paid to a seller, 265.00 are in escrow and 1.00 was the fee of a cancelled deal.
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
		{seedSpan - 3*time.Hour, 484, "Nagad", "74R1ZK8W"},
	}
	for _, d := range deposits {
		s.ago(d.before)
		if err := s.payIn(ctx, s.buyer, d.amount, d.method, d.transaction); err != nil {
			return err
		}
	}
	if err := s.posts(ctx); err != nil {
		return err
	}
	if err := s.deals(ctx); err != nil {
		return err
	}
	if err := s.talk(ctx); err != nil {
		return err
	}
	if err := s.queues(ctx); err != nil {
		return err
	}
	s.ago(0)
	return nil
}

// payIn reports a deposit, which the admin approves twenty minutes later.
func (s *story) payIn(ctx context.Context, who *person, amount float64, method, transaction string) error {
	id, err := s.report(ctx, who, amount, method, transaction)
	if err != nil {
		return err
	}
	s.ago(s.left - 20*time.Minute)
	approval := fields{"amount": amount, "userId": who.id}
	return s.admin.call(ctx, http.MethodPost, "/admin/deposit/approve/"+id, approval, nil)
}

// report reports a deposit and returns its ID.
func (s *story) report(ctx context.Context, who *person, amount float64, method, transaction string) (string, error) {
	var reported struct {
		Deposit resource `json:"deposit"`
	}
	report := fields{"amount": amount, "transactionId": transaction, "paymentMethod": method}
	err := who.call(ctx, http.MethodPost, "/auth/deposit", report, &reported)
	return reported.Deposit.ID, err
}

// deals creates one deal in each state through its users' actions, moving business time from scene
// to scene up to the present.
func (s *story) deals(ctx context.Context) error {
	var completed, calledOff, left, late, disputed, refused, delivered, active, withdrawn string
	for _, scene := range []struct {
		before  time.Duration
		happens func() error
	}{
		{11 * day, func() error {
			return s.deal(ctx, &completed, 120, 5,
				"Facebook page about home cooking, 12,400 followers\nI hand over the admin role and the linked Instagram account.")
		}},
		{10 * day, func() error {
			return s.deal(ctx, &calledOff, 50, 7, "Twelve posts for a bakery’s page\nCaptions in Bangla, pictures from your own photos.")
		}},
		{9*day + 12*time.Hour, func() error {
			return s.deal(ctx, &left, 35, 1, "Two hundred business cards\nPrinted on both sides, delivered in Dhaka.")
		}},
		{9 * day, func() error { return s.handOver(ctx, completed) }},
		{9*day - time.Hour, func() error {
			return s.deal(ctx, &late, 75, 3, "Logo and card for a clothing shop\nSource files in SVG and PDF.")
		}},
		{8*day + 18*time.Hour, func() error { return s.acts(ctx, s.buyer, "cancel", calledOff) }},
		{8*day + 16*time.Hour, func() error { return s.correct(ctx, completed) }},
		{8*day + 12*time.Hour, func() error { return s.acts(ctx, s.seller, "accept-cancellation", calledOff) }},
		{8 * day, func() error {
			return s.complete(ctx, completed, 5, "Handed everything over within a day and answered every question. I would buy again.")
		}},
		{8*day - time.Hour, func() error { return s.withdraw(ctx, &withdrawn) }},
		// A day after the deadline without a delivery, the buyer may leave.
		{7 * day, func() error { return s.acts(ctx, s.buyer, "cancel", left) }},
		// The number was new, so the money was held for a day.
		{6*day + 22*time.Hour, func() error { return s.payOut(ctx, withdrawn) }},
		{6*day + 12*time.Hour, func() error { return s.smallJobs(ctx) }},
		{6*day + time.Hour, func() error { return s.quarrel(ctx, &disputed) }},
		{6 * day, func() error {
			return s.deal(ctx, &refused, 80, 5, "Wedding video, ten minutes\nCut from six hours of your own recordings.")
		}},
		{5 * day, func() error { return s.acts(ctx, s.seller, "cancel", refused) }},
		{5*day - time.Hour, func() error { return s.acts(ctx, s.nusrat, "cancel", disputed) }},
		{4 * day, func() error {
			return s.deal(ctx, &delivered, 90, 5, "Landing page for a tutoring centre\nOne page in Bangla and English, fast on phones. The form sends to your mail. Text and pictures come from you.")
		}},
		{2 * day, func() error {
			return s.deal(ctx, &active, 100, 7, "Travel channel, 3,100 subscribers\nYouTube, about travel in Bangladesh, no strikes. I hand over the brand account and all 46 videos.")
		}},
		{36 * time.Hour, func() error { return s.disagree(ctx) }},
		// So long ago that they are held no more.
		{26 * time.Hour, func() error { return s.waitsForPayout(ctx, s.seller, 12, "Nagad", "01912345678") }},
		{25 * time.Hour, func() error { return s.waitsForPayout(ctx, s.seller, 25, "Bkash", "01712345678") }},
		{day, func() error { return s.present(ctx, delivered) }},
		{6 * time.Hour, func() error { return s.support(ctx, late) }},
		{5 * time.Hour, func() error {
			return s.propose(ctx, nil, 60, 4, "Ten product photos, white background\nEdited and ready for a shop page. You send the products, I send them back.")
		}},
		{4*time.Hour + 20*time.Minute, func() error { return s.link(ctx) }},
		{4*time.Hour + 10*time.Minute, func() error { return s.prove(ctx, active) }},
		{4 * time.Hour, func() error { return s.offer(ctx) }},
	} {
		s.ago(scene.before)
		if err := scene.happens(); err != nil {
			return err
		}
	}
	return nil
}

// smallJobs creates small deals of the seller, each ordered, delivered and paid within the hour.
func (s *story) smallJobs(ctx context.Context) error {
	for _, job := range []struct {
		price       float64
		description string
		rating      int
		comment     string
	}{
		{25, "Banner for an online shop\nThree sizes, in Bangla.", 4, "ভালো কাজ, সময়মতো পেয়েছি। যোগাযোগ আরেকটু দ্রুত হলে পাঁচ তারা দিতাম।"},
		{18, "Product descriptions for six saris\nTwo sentences each.", 5, "Exactly as described."},
		{40, "Speed check of a WordPress site\nA list of what to change, and the changes.", 5, "The shop opens in two seconds now. He explained every change."},
		{15, "Transcript of a twenty-minute interview", 4, "কয়েকটা নাম ঠিক করতে হয়েছে, বাকি সব নিখুঁত।"},
	} {
		var id string
		if err := s.deal(ctx, &id, job.price, 2, job.description); err != nil {
			return err
		}
		if err := s.acts(ctx, s.seller, "deliver", id); err != nil {
			return err
		}
		if err := s.complete(ctx, id, job.rating, job.comment); err != nil {
			return err
		}
	}
	return nil
}

// complete completes a deal as the buyer and posts a review ten minutes later.
func (s *story) complete(ctx context.Context, dealID string, rating int, comment string) error {
	if err := s.acts(ctx, s.buyer, "complete", dealID); err != nil {
		return err
	}
	s.ago(s.left - 10*time.Minute)
	review := fields{"reviewedUser": s.seller.id, "dealId": dealID, "rating": rating, "comment": comment}
	return s.buyer.call(ctx, http.MethodPost, "/reviews", review, nil)
}

func (s *story) acts(ctx context.Context, who *person, action, dealID string) error {
	return who.call(ctx, http.MethodPost, "/deals/"+action+"/"+dealID, fields{}, nil)
}

func (s *story) support(ctx context.Context, dealID string) error {
	const issue = "The logo should have been here last week, and my messages are not answered. Can you reach the seller?"
	return s.buyer.call(ctx, http.MethodPost, "/deals/support", fields{"dealId": dealID, "issueDescription": issue}, nil)
}

// propose proposes a deal as the seller, which the buyer has yet to pay. It stores the deal's ID in
// id, unless that is nil.
func (s *story) propose(ctx context.Context, id *string, price float64, days int, description string) error {
	var deal resource
	err := s.seller.call(ctx, http.MethodPost, "/deals/create", fields{
		"price": price, "description": description, "deliveryDuration": days, "buyerId": s.buyer.id, "sellerId": s.seller.id,
	}, &deal)
	if id != nil {
		*id = deal.ID
	}
	return err
}

// deal proposes a deal, which the buyer pays half an hour later.
func (s *story) deal(ctx context.Context, id *string, price float64, days int, description string) error {
	var proposed string
	if err := s.propose(ctx, &proposed, price, days, description); err != nil {
		return err
	}
	if id != nil {
		*id = proposed
	}
	s.ago(s.left - 30*time.Minute)
	return s.acts(ctx, s.buyer, "pay", proposed)
}

func (s *story) withdraw(ctx context.Context, id *string) error {
	var submitted struct {
		Withdrawal resource `json:"withdrawal"`
	}
	order := fields{"amount": 100, "phonenumber": "01712345678", "paymentMethod": "Bkash"}
	err := s.seller.call(ctx, http.MethodPost, "/withdraw", order, &submitted)
	*id = submitted.Withdrawal.ID
	return err
}

func (s *story) waitsForPayout(ctx context.Context, who *person, amount float64, method, number string) error {
	order := fields{"amount": amount, "phonenumber": number, "paymentMethod": method}
	return who.call(ctx, http.MethodPost, "/withdraw", order, nil)
}

func (s *story) payOut(ctx context.Context, id string) error {
	payout := fields{"amount": 100, "transactionId": "CKM2T8H5QA"}
	return s.admin.call(ctx, http.MethodPost, "/admin/withdrawals/"+id+"/send", payout, nil)
}

const (
	// Sweeps run after the time they act on, not at it.
	pastStop   = time.Millisecond
	settleWait = 10 * time.Second
	settlePoll = 5 * time.Millisecond
)

// assembleDeals creates the service that executes due actions of deals while time is moved.
func (p *processes) assembleDeals(s settings, db *pgxpool.Pool) error {
	inserter, err := jobs.NewInserter(db, s.log)
	if err != nil {
		return err
	}
	events := &realtime.Log{Clock: s.clock, Publish: p.messages}
	requests := &operations.Service{DB: db, Clock: s.clock, Enqueuer: inserter, Events: events, Announce: p.messages}
	notices := &notifications.Service{DB: db, Clock: s.clock, Events: events}
	p.deals = &deals.Settler{
		Service: &deals.Service{
			DB: db, Clock: s.clock, Operations: requests, Events: events, Notices: notices, Jobs: inserter, Limits: trust.Unlimited(),
			Images: nil, Conversations: nil, // of calls that only the api makes
		},
		Rewards: &referrals.Settler{
			DB: db, Share: s.worker.ReferralShare, Clock: s.clock, Operations: requests, Events: events, Notices: notices,
		},
	}
	return nil
}

// pass moves business time forward by step, with the same outcome as waiting: the deadline sweep
// runs at each time when it has something to do or to warn of, and what it moves is settled before
// time goes on.
func (p *processes) pass(ctx context.Context, clock *businessClock, step time.Duration) error {
	// Warnings due now must not wait for the next stop.
	if err := p.sweep(ctx); err != nil {
		return err
	}
	for left := step; left > 0; {
		next, found, err := p.deals.NextStop(ctx)
		if err != nil {
			return err
		}
		part := left
		if found {
			part = min(left, max(0, next.Sub(clock.Now()))+pastStop)
		}
		if err := clock.advance(part); err != nil {
			return err
		}
		if err := p.sweep(ctx); err != nil {
			return err
		}
		left -= part
	}
	// The next one would say only within a minute that checkouts can be used.
	_, err := p.jobs.Insert(ctx, jobs.CheckoutSweep, nil)
	return err
}

// sweep runs the deadline sweep and waits until workers have settled the operations that it
// requested.
func (p *processes) sweep(ctx context.Context) error {
	if _, err := p.deals.Sweep(ctx); err != nil {
		return err
	}
	enough := time.After(settleWait)
	for {
		pending, err := anyPendingOfClock(ctx, p.apiDB)
		if err != nil || !pending {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		// A failing job is retried by the worker, which logs the error.
		case <-enough:
			return nil
		case <-time.After(settlePoll):
		}
	}
}

// handOver delivers the page of the completed deal.
func (s *story) handOver(ctx context.Context, dealID string) error {
	return s.deliver(ctx, dealID, "You are an admin of the page now. Please accept the invitation in Facebook.")
}

// correct makes the buyer ask for changes of the page, and the seller deliver again two hours
// later.
func (s *story) correct(ctx context.Context, dealID string) error {
	text := "The page works. The linked Instagram account still has your phone number, please take it out."
	if err := s.changes(ctx, dealID, text); err != nil {
		return err
	}
	s.ago(s.left - 2*time.Hour)
	return s.deliver(ctx, dealID, "নম্বরটি সরিয়ে দিয়েছি। এখন অ্যাকাউন্টে শুধু আপনার মেইল আছে।")
}

// present delivers the landing page with pictures of it.
func (s *story) present(ctx context.Context, dealID string) error {
	text := "The page is online at the address that you sent me. The pictures show it on a computer and the text as you wrote it."
	return s.deliver(ctx, dealID, text, "delivered-website", "delivered-writing")
}

// deliver delivers a deal with words and pictures.
func (s *story) deliver(ctx context.Context, dealID, text string, names ...string) error {
	ids := make([]string, len(names))
	for i, name := range names {
		url, err := picture(name)
		if err != nil {
			return err
		}
		var added struct {
			Picture resource `json:"picture"`
		}
		if err := s.seller.call(ctx, http.MethodPost, "/deals/"+dealID+"/pictures", fields{"image": url}, &added); err != nil {
			return err
		}
		ids[i] = added.Picture.ID
	}
	return s.seller.call(ctx, http.MethodPost, "/deals/deliver/"+dealID, fields{"text": text, "pictures": ids}, nil)
}

// changes asks for changes of a delivered deal.
func (s *story) changes(ctx context.Context, dealID, text string) error {
	return s.buyer.call(ctx, http.MethodPost, "/deals/reset-delivery/"+dealID, fields{"text": text}, nil)
}

// link makes a deal of the seller that waits for somebody to join it by its link.
func (s *story) link(ctx context.Context) error {
	return s.seller.call(ctx, http.MethodPost, "/deals/create", fields{
		"price": 65, "deliveryDuration": 5, "sellerId": s.seller.id, "invite": fields{"email": "farhana@example.com"},
		"description": "Shop page for hand-made jewellery\nOne page with up to 30 pictures. You send pictures and prices.",
	}, nil)
}

// prove switches on the public page of a paid deal.
func (s *story) prove(ctx context.Context, dealID string) error {
	return s.buyer.call(ctx, http.MethodPut, "/deals/"+dealID+"/proof", fields{"shown": true}, nil)
}

// offer proposes a deal as a buyer, which the seller has yet to accept.
func (s *story) offer(ctx context.Context) error {
	return s.karim.call(ctx, http.MethodPost, "/deals/create", fields{
		"price": 45, "deliveryDuration": 6, "buyerId": s.karim.id, "sellerId": s.seller.id,
		"description": "Menu for a tea house\nTwo pages in Bangla, ready to print. I send the dishes and prices.",
	}, nil)
}

// disagree creates a deal with a dispute that waits for its buyer or an admin. It ends nine hours
// later.
func (s *story) disagree(ctx context.Context) error {
	deal, err := s.buyHeadset(ctx)
	if err != nil {
		return err
	}
	s.ago(s.left - 3*time.Hour)
	path, err := s.dispute(ctx, deal)
	if err != nil {
		return err
	}
	s.ago(s.left - 5*time.Hour)
	answer := "It lasted a day when I used it. I cannot check it from here, but I do not want to argue about a battery. " +
		"A new one costs about twelve dollars."
	if err := s.karim.call(ctx, http.MethodPost, path+"/answer", fields{"text": answer}, nil); err != nil {
		return err
	}
	return s.karim.call(ctx, http.MethodPost, path+"/offers", fields{"buyerGets": 12}, nil)
}

// buyHeadset creates a delivered deal of farhana and returns its ID.
func (s *story) buyHeadset(ctx context.Context) (string, error) {
	farhana := s.people["farhana"]
	if err := s.payIn(ctx, farhana, 45, "Nagad", "74W8LM2C"); err != nil {
		return "", err
	}
	var deal resource
	err := s.karim.call(ctx, http.MethodPost, "/deals/create", fields{
		"price": 45, "deliveryDuration": 2, "inspectionDays": 5, "buyerId": farhana.id, "sellerId": s.karim.id,
		"description": "Wireless headset, two years old\nWith case and cable. The battery lasts a day. Sent by courier.",
	}, &deal)
	if err == nil {
		err = s.acts(ctx, farhana, "pay", deal.ID)
	}
	if err == nil {
		err = s.acts(ctx, s.karim, "deliver", deal.ID)
	}
	return deal.ID, err
}

// dispute opens farhana's dispute about a deal and returns the path of its room.
func (s *story) dispute(ctx context.Context, dealID string) (string, error) {
	var opened struct {
		Dispute resource `json:"dispute"`
	}
	err := s.people["farhana"].call(ctx, http.MethodPost, "/deals/"+dealID+"/dispute", fields{
		"reason": "not_as_agreed", "links": []string{"https://example.com/headset-manual"},
		"text": "The battery is empty after two hours. The manual says a day, and so did the deal. " +
			"I do not want all of the money back, but this is not what I paid for.",
	}, &opened)
	return "/disputes/" + opened.Dispute.ID, err
}
