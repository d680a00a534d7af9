package api

import (
	"slices"
	"strings"
)

// pageRoutes are the paths of the UI's pages (ui/src/routes); a segment "$name" stands for any. Any
// other path answers 404.
var pageRoutes = []string{
	"", "MyPosts", "aboutus", "admin", "admin/adjustments", "admin/audit", "admin/bug-reports",
	"admin/chat", "admin/contact-messages", "admin/dashboard", "admin/deals", "admin/deposit",
	"admin/disputes", "admin/notifications", "admin/reports", "admin/support-requests", "admin/users",
	"admin/withdrawal", "appeal", "balance", "balance/deposits/$depositId",
	"balance/deposits/$depositId/receipt", "balance/statement", "balance/statement/print",
	"confirm-email", "confirm-withdrawal", "contactus", "d/$code", "dashboard", "deal",
	"deal/$dealId", "deal/$dealId/dispute", "deal/$dealId/receipt", "deals", "decisions/$id", "deposit", "disputes/$id",
	"explore", "forgot-password", "held/$code", "inbox", "inbox/$conversationId", "login", "not-me", "not-my-factor",
	"notifications", "ourleaders", "papers", "posts/$postId", "posts/create", "posts/edit/$postId",
	"privacy", "profile", "profile/$username", "refer", "referral/$code", "reportabug", "reports",
	"reset-password", "security", "signup", "support", "terms", "undo-email", "unsubscribe",
	"verify-email", "withdraw",
}

// isPage reports whether the UI has a page at a path, given without its first slash.
func isPage(name string) bool {
	segments := strings.Split(name, "/")
	return slices.ContainsFunc(pageRoutes, func(route string) bool { return matchesRoute(strings.Split(route, "/"), segments) })
}

// matchesRoute reports whether the segments of a path are those of a route.
func matchesRoute(route, segments []string) bool {
	return slices.EqualFunc(route, segments, func(segment, given string) bool {
		return segment == given || strings.HasPrefix(segment, "$")
	})
}
