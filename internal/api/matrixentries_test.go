package api_test

import (
	"image/color"
	"net/http"
)

const (
	theTwo = "buyer seller"
	all    = theTwo + " admin"
)

// aboutDeal are the calls on one deal.
var aboutDeal = []entry{
	{call: "GET /deals/{id}", about: (*matrixFixture).proposed, parties: all},
	{call: "DELETE /deals/{id}", about: (*matrixFixture).proposed, parties: theTwo, answer: 200},
	{call: "PUT /deals/accept/{id}", about: (*matrixFixture).offered, parties: theTwo, allowed: "seller", answer: 200},
	{
		call: "POST /deals/pay/{id}", about: (*matrixFixture).proposed, parties: theTwo, allowed: "buyer", answer: 200,
		body: func(*matrixFixture) any { return fields{"terms": 1} },
	},
	{
		call: "POST /deals/deliver/{id}", about: (*matrixFixture).active, parties: theTwo, allowed: "seller", answer: 200,
		body: func(*matrixFixture) any { return fields{"text": "Here it is."} },
	},
	{call: "POST /deals/{id}/arrived", about: (*matrixFixture).shipped, parties: theTwo, allowed: "buyer", answer: 200},
	{call: "POST /deals/complete/{id}", about: (*matrixFixture).active, parties: theTwo, allowed: "buyer", answer: 200},
	{call: "POST /deals/cancel/{id}", about: (*matrixFixture).active, parties: theTwo, answer: 200},
	{
		call: "POST /deals/reset-delivery/{id}", about: (*matrixFixture).delivered, parties: theTwo, allowed: "buyer", answer: 200,
		body: func(*matrixFixture) any { return fields{"text": "The second page is missing."} },
	},
	{
		call: "POST /deals/{id}/pictures", about: (*matrixFixture).active, parties: theTwo, allowed: "seller", answer: 201,
		body: func(w *matrixFixture) any { return fields{"image": pictureURL(w.t, color.White, 10, 10)} },
	},
	{call: "DELETE /deals/{id}/pictures/{pictureId}", about: (*matrixFixture).waitingPicture, parties: "seller", answer: 200},
	{call: "POST /deals/accept-cancellation/{id}", about: (*matrixFixture).requested, parties: theTwo, allowed: "seller", answer: 200},
	{call: "POST /deals/decline-cancellation/{id}", about: (*matrixFixture).requested, parties: theTwo, allowed: "seller", answer: 200},
	{
		call: "POST /deals/support", about: (*matrixFixture).active, parties: theTwo, answer: 201,
		body: func(w *matrixFixture) any {
			return fields{"dealId": w.open.ID, "issueDescription": "Help", "userId": w.buyer().user.ID}
		},
	},
	{
		call: "POST /reviews", about: (*matrixFixture).completed, parties: theTwo, allowed: "buyer", answer: 201,
		body: func(w *matrixFixture) any {
			return fields{"dealId": w.closed.ID, "reviewedUser": w.seller().user.ID, "rating": 5, "comment": "Good"}
		},
	},
}

// aboutDisputes are the calls on a dispute, which the buyer has opened.
var aboutDisputes = []entry{
	{
		call: "POST /deals/{id}/dispute", about: (*matrixFixture).active, parties: theTwo, answer: 201,
		body: func(*matrixFixture) any { return fields{"reason": "other", "text": "Something is wrong."} },
	},
	{
		call: "POST /deals/{id}/dispute/pictures", about: (*matrixFixture).active, parties: all, answer: 201,
		body: func(w *matrixFixture) any { return fields{"image": pictureURL(w.t, color.White, 10, 10)} },
	},
	{call: "GET /disputes/{id}", about: (*matrixFixture).disputed, parties: all},
	{
		call: "POST /disputes/{id}/answer", about: (*matrixFixture).disputed, parties: theTwo, allowed: "seller", answer: 200,
		body: func(*matrixFixture) any { return fields{"text": "It is not."} },
	},
	{
		call: "POST /disputes/{id}/messages", about: (*matrixFixture).disputed, parties: all, answer: 200,
		body: func(*matrixFixture) any { return fields{"text": "Hello"} },
	},
	{call: "POST /disputes/{id}/close", about: (*matrixFixture).disputed, parties: theTwo, allowed: "buyer", answer: 200},
	{
		call: "POST /disputes/{id}/offers", about: (*matrixFixture).disputed, parties: theTwo, answer: 200,
		body: func(*matrixFixture) any { return fields{"buyerGets": 0.5} },
	},
	{call: "DELETE /disputes/{id}/offers/{offerId}", about: (*matrixFixture).disputeOffer, parties: "seller", answer: 200},
	{
		call: "POST /disputes/{id}/offers/{offerId}/accept", about: (*matrixFixture).disputeOffer, parties: theTwo, allowed: "buyer",
		answer: 200,
	},
	{call: "POST /disputes/{id}/accept", about: (*matrixFixture).decidedDispute, parties: theTwo, answer: 200},
	{
		call: "POST /disputes/{id}/appeal", about: (*matrixFixture).decidedDispute, parties: theTwo, answer: 200,
		body: func(*matrixFixture) any { return fields{"text": "No."} },
	},
	{call: "GET /admin/disputes"},
	{call: "POST /admin/disputes/{id}/claim", about: (*matrixFixture).disputed, answer: 200},
	{call: "POST /admin/disputes/{id}/decide", about: (*matrixFixture).disputed},
	{call: "POST /admin/disputes/{id}/appeal/decide", about: (*matrixFixture).disputed},
	{call: "GET /images/{id}", about: (*matrixFixture).disputedImage, parties: all},
}

// aboutCounteroffers are the calls on counter-offers, one of which the seller has made.
var aboutCounteroffers = []entry{
	{
		call: "POST /deals/{id}/counteroffers", about: (*matrixFixture).offered, parties: theTwo, answer: 201,
		body: func(*matrixFixture) any {
			return fields{"price": 2, "description": "A channel", "deliveryDuration": 3, "inspectionDays": 3}
		},
	},
	{
		call: "POST /deals/{id}/counteroffers/{counterofferId}/accept", about: (*matrixFixture).countered, parties: theTwo,
		allowed: "buyer", answer: 200,
	},
	{
		call: "POST /deals/{id}/counteroffers/{counterofferId}/decline", about: (*matrixFixture).countered, parties: theTwo,
		allowed: "buyer", answer: 200,
	},
	{
		call: "DELETE /deals/{id}/counteroffers/{counterofferId}", about: (*matrixFixture).countered, parties: theTwo,
		allowed: "seller", answer: 200,
	},
}

// aboutLinks are the calls on links to deals, which the seller makes, and on public proofs.
var aboutLinks = []entry{
	{call: "GET /invites"},
	{call: "GET /invites/{code}", about: (*matrixFixture).invite},
	{
		call: "POST /invites/{code}/join", about: (*matrixFixture).invite, allowed: "stranger buyer admin", answer: 201,
	},
	{call: "DELETE /invites/{code}", about: (*matrixFixture).invite, parties: "seller", answer: 200},
	{call: "GET /deals/{id}/proof", about: (*matrixFixture).active, parties: theTwo},
	{
		call: "PUT /deals/{id}/proof", about: (*matrixFixture).active, parties: theTwo, answer: 200,
		body: func(*matrixFixture) any { return fields{"shown": true} },
	},
	{call: "GET /held/{code}", about: (*matrixFixture).proof},
	{call: "GET /deals/{id}/receipt", about: (*matrixFixture).active, parties: theTwo},
	{call: "GET /check/{code}", about: (*matrixFixture).printed},
}

// aboutDeals are the calls on a user's deals.
var aboutDeals = []entry{
	{
		call: "POST /deals/create", allowed: theTwo, answer: 201,
		body: func(w *matrixFixture) any {
			return fields{
				"price": 1, "description": "A channel", "deliveryDuration": 7,
				"buyerId": w.buyer().user.ID, "sellerId": w.seller().user.ID,
			}
		},
		except: map[string]int{"stranger": http.StatusBadRequest, "admin": http.StatusBadRequest},
		why:    "whoever is neither buyer nor seller has not chosen a role",
	},
	{call: "GET /deals/my-deals"},
	{
		call: "GET /deals/my-deals", allowed: "buyer admin",
		query: func(w *matrixFixture) string { return "?userId=" + w.buyer().user.ID.String() },
	},
	{call: "GET /deals/between/{userId}/{otherUserId}", about: (*matrixFixture).theTwo, allowed: all},
	{call: "GET /deals/active-deals"},
	{call: "GET /deals/totals"},
	{call: "GET /deals/refer/stats"},
	{call: "GET /operations/{id}", about: (*matrixFixture).operation, parties: "buyer admin"},
}

// aboutMessages are the calls on conversations, notifications and images.
var aboutMessages = []entry{
	{call: "GET /messages/conversations"},
	{call: "GET /messages/conversations/{id}", about: (*matrixFixture).conversation, parties: theTwo},
	{call: "GET /messages/{id}", about: (*matrixFixture).conversation, parties: theTwo},
	{
		call: "POST /messages", about: (*matrixFixture).conversation, parties: theTwo, answer: 201,
		body: func(w *matrixFixture) any { return fields{"conversationId": w.talk, "text": "Hello"} },
	},
	{
		call: "POST /messages/mark-as-read", about: (*matrixFixture).conversation, parties: theTwo, answer: 200,
		body: func(w *matrixFixture) any { return fields{"conversationId": w.talk} },
	},
	{call: "POST /messages/send-or-start"},
	{
		call: "POST /messages/send-or-start", about: (*matrixFixture).active, parties: "buyer", answer: 201,
		body:   func(w *matrixFixture) any { return fields{"receiverId": w.seller().user.ID, "dealId": w.open.ID} },
		except: map[string]int{"seller": http.StatusBadRequest}, why: "nobody writes to themselves",
	},
	{call: "GET /messages/unread-dot"},
	{call: "GET /users/blocked"},
	{call: "GET /users/{id}/relation", about: (*matrixFixture).target},
	{call: "POST /users/{id}/block", about: (*matrixFixture).target, answer: 200},
	{call: "DELETE /users/{id}/block", about: (*matrixFixture).target, answer: 200},
	{call: "POST /reports"},
	{call: "GET /reports/mine"},
	{call: "GET /decisions"},
	{call: "GET /decisions/{id}", about: (*matrixFixture).decision, parties: "buyer"},
	{call: "POST /decisions/{id}/appeal", about: (*matrixFixture).decision, parties: "buyer"},
	{call: "POST /appeals/open"},
	{call: "POST /appeals"},
	{call: "GET /ws", answer: 403}, // no Origin header; see sockets_test.go
	{call: "GET /notifications"},
	{call: "GET /notifications/unread-status"},
	{call: "PATCH /notifications/{id}/read", about: (*matrixFixture).notification, parties: "buyer"},
	{call: "POST /notifications/mark-all-as-read", answer: 200},
	{call: "GET /notifications/settings"},
	{call: "PUT /notifications/settings"},
	{call: "POST /push/subscriptions"},
	{call: "POST /push/test", answer: 409}, // there is no browser to send it to
	{call: "DELETE /push/subscriptions/{id}", about: (*matrixFixture).pushDevice, parties: "buyer", answer: 200},
	{call: "GET /images/{id}", about: (*matrixFixture).publicImage},
	{
		call: "GET /images/{id}", about: (*matrixFixture).privateImage, parties: all,
	},
	{call: "GET /images/{id}", about: (*matrixFixture).deliveredImage, parties: all},
	{call: "GET /images/{id}", about: (*matrixFixture).waitingImage, parties: "seller admin"},
}

// aboutAccounts are the calls on the caller's own account and money.
var aboutAccounts = []entry{
	{call: "POST /auth/signup"},
	{call: "POST /auth/login"},
	{call: "POST /auth/login/code"},
	{call: "POST /auth/login/passkey/options", answer: 401}, // no login waits
	{call: "POST /auth/login/passkey"},
	{call: "POST /auth/passkey/options", answer: 409}, // the site of this fixture has no name
	{call: "POST /auth/passkey"},
	{call: "GET /auth/second-factor"},
	{call: "POST /auth/second-factor/totp", about: (*matrixFixture).proved, answer: 200},
	{call: "POST /auth/second-factor/totp/confirm", about: (*matrixFixture).proved},
	{call: "POST /auth/second-factor/totp/remove", answer: 409},
	{call: "POST /auth/second-factor/backup-codes", answer: 409},
	{call: "POST /auth/second-factor/passkeys/options", about: (*matrixFixture).proved, answer: 409},
	{call: "POST /auth/second-factor/passkeys", about: (*matrixFixture).proved},
	{call: "PATCH /auth/second-factor/passkeys/{id}", about: (*matrixFixture).passkey, parties: "buyer"},
	{call: "DELETE /auth/second-factor/passkeys/{id}", about: (*matrixFixture).passkey, parties: "buyer", answer: 200},
	{call: "POST /auth/confirm/options", answer: 409},
	{call: "POST /auth/mail-code", about: (*matrixFixture).proved, answer: 200},
	{call: "POST /auth/confirm-mail-code"},
	{call: "POST /auth/remove-factor"},
	{call: "POST /auth/logout", answer: 200},
	{call: "GET /auth/check"},
	{call: "GET /auth/me"},
	{call: "POST /auth/terms"},
	{call: "PUT /auth/update-profile"},
	{call: "GET /auth/profile/{username}", about: (*matrixFixture).username},
	{call: "POST /auth/forgot-password"},
	{call: "POST /auth/reset-password"},
	{call: "POST /auth/change-password"},
	{call: "POST /auth/confirm-password"},
	{call: "POST /auth/verify-email"},
	{call: "POST /auth/email"},
	{call: "GET /auth/activity"},
	{call: "POST /auth/data-export", about: (*matrixFixture).proved, answer: 202},
	{call: "GET /auth/data-export"},
	{call: "GET /auth/data-export/{id}/file", about: (*matrixFixture).export, parties: "buyer"},
	{call: "GET /auth/close"},
	{call: "POST /auth/close", about: (*matrixFixture).proved},
	{call: "DELETE /auth/email", answer: 200},
	{call: "POST /auth/email/confirm"},
	{call: "POST /auth/email/undo"},
	{call: "POST /auth/confirm-withdrawal"},
	{call: "POST /auth/stop-withdrawal"},
	{call: "POST /auth/resend-verification", about: (*matrixFixture).proved, answer: 409},
	{call: "GET /auth/sessions"},
	{call: "DELETE /auth/sessions", answer: 200},
	{call: "DELETE /auth/sessions/{id}", about: (*matrixFixture).session, parties: "buyer", answer: 200},
	{call: "PUT /auth/language"},
	{call: "PUT /auth/mail-notices"},
	{call: "PUT /auth/away"},
	{call: "GET /mail/unsubscribe"},
	{call: "POST /mail/unsubscribe"},
	{call: "POST /auth/bug-report"},
	{call: "POST /contact"},
	{call: "GET /dashboard"},
	{call: "GET /wallet"},
	{call: "GET /wallet/history"},
	{call: "GET /wallet/statement"},
	{call: "GET /wallet/statement/csv"},
	{call: "GET /wallet/receivers"},
	{call: "POST /wallet/payment-code"},
	{call: "GET /wallet/search", query: func(*matrixFixture) string { return "?query=sell" }},
	{call: "GET /wallet/limits"},
	{call: "GET /wallet/payout-numbers"},
	{call: "POST /wallet/payout-numbers"},
	{call: "PATCH /wallet/payout-numbers/{id}", about: (*matrixFixture).payoutNumber, parties: "buyer"},
	{call: "DELETE /wallet/payout-numbers/{id}", about: (*matrixFixture).payoutNumber, parties: "buyer", answer: 200},
	{call: "GET /exchange-rate"},
	{
		call: "POST /phones/{phone}", about: func(*matrixFixture) string { return "shop" }, answer: 200,
	},
	{call: "POST /auth/deposit"},
	{call: "GET /auth/deposit/history"},
	{call: "GET /deposits/pending"},
	{call: "GET /deposits/{id}", about: (*matrixFixture).deposit, parties: "buyer"},
	{call: "POST /deposits/{id}/retract", about: (*matrixFixture).deposit, parties: "buyer", answer: 200},
	{call: "POST /checkouts"},
	{call: "GET /checkouts/{id}", about: (*matrixFixture).checkout, parties: "buyer"},
	{
		call: "POST /checkouts/{id}/return", about: (*matrixFixture).checkout, parties: "buyer", answer: 200,
		body: func(*matrixFixture) any { return fields{"status": "success"} },
	},
	{call: "POST /ipn/bkash", answer: 200}, // it need not be well-formed
	{call: "POST /withdraw"},
	{call: "GET /withdraw/history"},
	{call: "POST /withdraw/{id}/cancel", about: (*matrixFixture).withdrawal, parties: "buyer", answer: 200},
	{call: "POST /withdraw/{id}/confirm", about: (*matrixFixture).withdrawal, parties: "buyer"},
	{call: "POST /withdraw/{id}/not-mine", about: (*matrixFixture).withdrawal, parties: "buyer", answer: 200},
	{call: "GET /public/public-stats"},
	{call: "GET /public/chat-warnings"},
	{call: "GET /public/pauses"},
	{call: "GET /openapi.json"},
	{call: "GET /docs"},
}

// aboutPosts are the calls on posts and reviews, which are public.
var aboutPosts = []entry{
	{call: "GET /posts/public"},
	{call: "GET /posts/{id}", about: (*matrixFixture).post},
	{call: "POST /posts/{id}/seen", about: (*matrixFixture).post, answer: 200},
	{call: "GET /posts/user/{username}", about: (*matrixFixture).username},
	{call: "GET /images/{id}/card", about: (*matrixFixture).publicImage},
	{call: "GET /posts/my-posts"},
	{call: "GET /posts/saved"},
	{call: "GET /posts/saved/ids"},
	{
		call: "PUT /posts/{id}/saved", about: (*matrixFixture).post, answer: 200,
		except: map[string]int{"seller": 409}, why: "nobody saves their own post",
	},
	{call: "DELETE /posts/{id}/saved", about: (*matrixFixture).post, answer: 200},
	{call: "GET /posts/saved/searches"},
	{call: "PUT /posts/saved/searches"},
	{call: "PATCH /posts/saved/searches/{id}", about: (*matrixFixture).savedSearch, parties: "buyer"},
	{call: "DELETE /posts/saved/searches/{id}", about: (*matrixFixture).savedSearch, parties: "buyer", answer: 200},
	{call: "POST /posts"},
	{call: "POST /posts/pictures"},
	{call: "PUT /posts/{id}", about: (*matrixFixture).post, allowed: "seller"},
	{call: "DELETE /posts/{id}", about: (*matrixFixture).post, allowed: "seller", answer: 200},
	{call: "GET /reviews", query: func(w *matrixFixture) string { return "?user=" + w.seller().user.ID.String() }},
}

// forAdmins are the calls that only admins may make.
var forAdmins = []entry{
	{call: "GET /admin/total-users"},
	{call: "GET /admin/total-deals"},
	{call: "GET /admin/total-withdraw-amount"},
	{call: "GET /admin/total-deposits"},
	{call: "GET /admin/platform-earnings"},
	{call: "GET /admin/series", query: func(*matrixFixture) string { return "?of=users" }},
	{call: "GET /admin/audit"},
	{call: "GET /admin/messages/by-users/{userId1}/{userId2}", about: (*matrixFixture).theTwo},
	{call: "GET /admin/notifications"},
	{call: "GET /admin/bug-reports"},
	{call: "GET /admin/contact-messages"},
	{call: "GET /admin/deals"},
	{call: "POST /admin/deals/complete/{id}", about: (*matrixFixture).active, answer: 200},
	{call: "POST /admin/deals/cancel/{id}", about: (*matrixFixture).active, answer: 200},
	{call: "GET /admin/support-request"},
	{call: "POST /admin/support-request/{id}/close", about: (*matrixFixture).supportRequest},
	{call: "GET /admin/reports"},
	{call: "GET /admin/reports/{id}", about: (*matrixFixture).reported},
	{call: "POST /admin/reports/{id}/claim", about: (*matrixFixture).reported, answer: 200},
	{call: "POST /admin/reports/{id}/decide", about: (*matrixFixture).reported},
	{call: "POST /admin/reports/{id}/appeal", about: (*matrixFixture).reported},
	{call: "GET /admin/users"},
	{call: "GET /admin/users/search", query: func(*matrixFixture) string { return "?query=sell" }},
	{call: "GET /admin/users/{id}", about: (*matrixFixture).target},
	{call: "POST /admin/users/{id}/disable", about: (*matrixFixture).target},
	{call: "POST /admin/users/{id}/enable", about: (*matrixFixture).target, answer: 200},
	{call: "GET /admin/deposits"},
	{call: "POST /admin/deposits/{id}/claim", about: (*matrixFixture).deposit, answer: 200},
	{call: "POST /admin/deposits/{id}/confirm", about: (*matrixFixture).deposit},
	{call: "POST /admin/deposit/approve/{id}", about: (*matrixFixture).deposit},
	{call: "POST /admin/deposit/reject/{id}", about: (*matrixFixture).deposit},
	{call: "GET /admin/withdrawals"},
	{call: "POST /admin/withdrawals/{id}/claim", about: (*matrixFixture).withdrawal, answer: 200},
	{call: "POST /admin/withdrawals/{id}/send", about: (*matrixFixture).withdrawal},
	{call: "POST /admin/withdrawals/{id}/reject", about: (*matrixFixture).withdrawal},
	{call: "GET /admin/corrections"},
	{call: "POST /admin/corrections"},
	{call: "GET /admin/corrections/{id}", about: (*matrixFixture).correction},
	{call: "POST /admin/corrections/{id}/confirm", about: (*matrixFixture).correction, answer: 200},
	{call: "POST /admin/corrections/{id}/reject", about: (*matrixFixture).correction},
	{call: "POST /admin/corrections/{id}/withdraw", about: (*matrixFixture).ownCorrection, answer: 200},
	{call: "GET /admin/receivers"},
	{call: "POST /admin/receivers/{id}/balance", about: (*matrixFixture).receiver},
	{call: "GET /admin/drift"},
	{call: "GET /admin/payments"},
	{call: "PUT /admin/exchange-rate"},
	{call: "GET /admin/exchange-rates"},
}
