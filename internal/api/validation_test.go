package api_test

import (
	"image/color"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// mend is an expected error message and the fields that fix it.
type mend struct {
	says string
	with fields
}

// form is a body that breaks every rule, fixed one rule at a time, so that each rule is tested
// while the later ones are broken too.
type form struct {
	method, path string
	wrong        fields
	mends        []mend
	status       int // of the fixed body
}

// mendedBy requires each message in order, and then the status.
func (c form) mendedBy(b *browser) {
	b.t.Helper()
	body := maps.Clone(c.wrong)
	for _, m := range c.mends {
		said := b.do(c.method, c.path, body).refused(400, "invalid", m.says)
		require.NotEmpty(b.t, said.Fields, "%s: which field?", m.says)
		maps.Copy(body, m.with)
	}
	require.Equal(b.t, c.status, b.do(c.method, c.path, body).status, c.path)
}

// The order of the rules for visitors (docs/rules.md#signup).
func TestValidation_visitor_forms(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	v := f.visitor()
	for _, c := range []form{
		{http.MethodPost, "/auth/signup", fields{"username": " . ", "email": "", "password": ""}, []mend{
			{"Username is required.", fields{"username": "ra.h im"}},
			{"Email is required.", fields{"email": "rahim"}},
			{"Invalid email", fields{"email": "rahim@example.com"}},
			{"Password is required.", fields{"password": "12345"}},
			{"Password must be at least 6 characters", fields{"password": "secret"}},
			{"This password is too common. Please choose another.", fields{"password": "river-stone"}},
		}, 201},
		{http.MethodPost, "/auth/login", fields{}, []mend{
			{"Username is required.", fields{"username": "rahim"}},
			{"Password is required.", fields{"password": "river-stone"}},
		}, 200},
		{http.MethodPost, "/auth/reset-password", fields{"password": "12345"}, []mend{
			{"Password must be at least 6 characters long.", fields{"password": "123456"}},
			{"Invalid or missing token", fields{"token": "x"}},
		}, 400},
		{http.MethodPost, "/auth/forgot-password", fields{"email": " "}, []mend{
			{"Email is required.", fields{"email": "rahim@example.com"}},
		}, 200},
		{http.MethodPost, "/auth/bug-report", fields{"subject": " "}, []mend{
			{"Subject is required.", fields{"subject": "Broken"}},
			{"Description is required.", fields{"description": "It does not open."}},
		}, 201},
		{http.MethodPost, "/contact", fields{"email": "rahim"}, []mend{
			{"Name is required.", fields{"name": "Rahim"}},
			{"Invalid email", fields{"email": "rahim@example.com"}},
			{"Message is required.", fields{"message": "Hello"}},
		}, 201},
	} {
		c.mendedBy(v)
	}
}

// The order of the rules for messages, pictures and posts (docs/rules.md#posts).
func TestValidation_messages_and_posts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b, other := f.member("rahim"), f.member("karim")
	talk := b.opens(other, nil).Conversation.ID
	picture := pictureURL(t, color.White, 9, 9)
	for _, c := range []form{
		{http.MethodPost, "/messages", fields{"text": " \n"}, []mend{
			{"Text or Image is needed", fields{"text": strings.Repeat("x", 4001)}},
			{"No valid conversation or receiver.", fields{"conversationId": talk}},
			{"The message must be at most 4,000 characters.", fields{"text": strings.Repeat("x", 4000)}},
		}, 201},
		{http.MethodPost, "/messages/send-or-start", fields{"text": strings.Repeat("x", 4001)}, []mend{
			{"No valid conversation or receiver.", fields{"receiverId": b.user.ID}},
			{"You cannot message yourself.", fields{"receiverId": other.user.ID}},
			{"The message must be at most 4,000 characters.", fields{"text": "Hello"}},
		}, 201},
		{http.MethodPost, "/posts", fields{"title": " ", "subcategory": " ", "image": "data:text/plain,x"}, []mend{
			{"Title is required.", fields{"title": strings.Repeat("x", 81)}},
			{"The title must be at most 80 characters.", fields{"title": strings.Repeat("x", 80)}},
			{"Description is required.", fields{"description": "Three drafts", "price": "25"}},
			{"price must be a number.", fields{"price": 0}},
			{"Price is required.", fields{"price": 25}},
			{"Category is required.", fields{"category": "Online Asset"}},
			{"Subcategory is required.", fields{"subcategory": "Other"}},
			{"Please enter your own subcategory.", fields{"subcategory": "Podcast"}},
			{"Please select an image file!", fields{"image": picture}},
		}, 201},
		{http.MethodPut, "/auth/update-profile", fields{"profilePic": "data:text/plain,x"}, []mend{
			{"Please select an image file!", fields{"profilePic": picture}},
		}, 200},
	} {
		c.mendedBy(b)
	}
	b.post("/messages", fields{"conversationId": talk, "image": "hello"}).refused(400, "invalid", "Please select an image file!")
}

// The order of the rules for deals and what follows them (docs/rules.md#deal-create).
func TestValidation_deals(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	strange := uuid.NewString()
	done, open := buyer.trade(seller, 1), buyer.active(seller, 1)
	for _, c := range []form{
		{http.MethodPost, "/deals/create", fields{"description": " "}, []mend{
			{"Select a user.", fields{"buyerId": strange, "sellerId": seller.user.ID}},
			{"All fields are required.", fields{"price": 1_000_001}},
			{"All fields are required.", fields{"description": strings.Repeat("x", 5001)}},
			{"Please select your role.", fields{"buyerId": buyer.user.ID}},
			{"Please Choose Delivery Duration", fields{"deliveryDuration": 100}},
			{"The price must be between $0.01 and $1,000,000.00.", fields{"price": 1_000_000}},
			{"The description must be at most 5,000 characters.", fields{"description": "A channel"}},
			{"The delivery duration must be 1 to 99 days.", fields{"deliveryDuration": 99}},
		}, 201},
		{http.MethodPost, "/deals/support", fields{"dealId": open.ID, "issueDescription": " "}, []mend{
			{"Please describe the issue.", fields{"issueDescription": "Help"}},
		}, 201},
		{http.MethodPost, "/reviews", fields{"dealId": done.ID, "reviewedUser": buyer.user.ID, "rating": 0, "comment": " "}, []mend{
			{"Only the seller of the deal can be reviewed.", fields{"reviewedUser": seller.user.ID}},
			{"The rating must be 1 to 5.", fields{"rating": 6}},
			{"The rating must be 1 to 5.", fields{"rating": 5}},
			{"Please write a comment.", fields{"comment": "Good"}},
		}, 201},
	} {
		c.mendedBy(buyer)
	}
}

// The order of the rules for money in and out (docs/rules.md#deposits).
func TestValidation_money(t *testing.T) {
	t.Parallel()
	f := newMatrixFixture(t)
	buyer, boss := f.buyer(), f.people["admin"]
	for _, c := range []form{
		{http.MethodPost, "/auth/deposit", fields{}, []mend{
			{"Please fill out all fields.", fields{"paymentMethod": "Cash"}},
			{"Please fill out all fields.", fields{"transactionId": " "}},
			{"Please fill out all fields.", fields{"amount": 0}},
			{"Invalid amount or transaction ID", fields{"amount": 5}},
			{"Invalid amount or transaction ID", fields{"transactionId": "AB12CD3"}},
			{"Invalid transaction ID format. It should be 8-12 alphanumeric characters.", fields{"transactionId": "AB12CD34EF567"}},
			{"Invalid transaction ID format. It should be 8-12 alphanumeric characters.", fields{"transactionId": "AB12-D34"}},
			{"Invalid transaction ID format. It should be 8-12 alphanumeric characters.", fields{"transactionId": "AB12CD34"}},
			{"Choose Bkash or Nagad.", fields{"paymentMethod": "Nagad"}},
		}, 201},
		{http.MethodPost, "/withdraw", fields{"paymentMethod": "Cash"}, []mend{
			{"Please fill out all fields.", fields{"amount": -1}},
			{"Please fill out all fields.", fields{"phonenumber": "0171234567"}},
			{"Phone number must start with '01' and be 11 digits.", fields{"phonenumber": "11712345678"}},
			{"Phone number must start with '01' and be 11 digits.", fields{"phonenumber": "01712345678"}},
			{"Enter a valid amount", fields{"amount": 0.99}},
			{"Choose Bkash or Nagad.", fields{"paymentMethod": "Nagad"}},
			{"The minimum withdrawal is $1.00.", fields{"amount": 1}},
		}, 201},
	} {
		c.mendedBy(buyer)
	}
	buyer.post("/withdraw", fields{"amount": 5000, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).
		refused(409, "insufficient_balance", "Insufficient balance to withdraw")
	form{http.MethodPost, "/admin/deposit/approve/" + f.deposit(), fields{}, []mend{
		{"Enter a valid amount", fields{"amount": "many"}},
		{"amount must be a number.", fields{"amount": -1}},
		{"Enter a valid amount", fields{"amount": 1}},
		{"The deposit belongs to another user.", fields{"userId": buyer.user.ID}},
	}, 200}.mendedBy(boss)
	asked := f.withdrawal()
	buyer.confirms(uuid.MustParse(asked))
	form{http.MethodPost, "/admin/withdrawals/" + asked + "/send", fields{}, []mend{
		{"Enter a valid amount", fields{"amount": 2}},
		{"The amount must equal the request.", fields{"amount": 1}},
	}, 200}.mendedBy(boss)
}
