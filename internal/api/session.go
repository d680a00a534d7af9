package api

import (
	"net/http"

	"amanat/internal/accounts"
)

// cookieName returns the name of the session cookie. With HTTPS the prefix makes browsers refuse one that another host or an insecure
// page has set.
func cookieName(secure bool) string {
	if secure {
		return "__Host-amanat"
	}
	return "amanat"
}

// maxToken is far longer than any token of ours.
const maxToken = 128

func (s *Server) readCookie(r *http.Request) accounts.Token {
	cookie, err := r.Cookie(s.cookie)
	if err != nil || len(cookie.Value) > maxToken {
		return ""
	}
	return accounts.Token(cookie.Value)
}

// sessionCookie returns the header that gives the browser its token, or takes it away when it is "".
func (s *Server) sessionCookie(token accounts.Token) string {
	cookie := http.Cookie{ //nolint:gosec // Secure wherever the site is reached by https
		Name: s.cookie, Value: string(token), Path: "/", MaxAge: int(accounts.SessionLife.Seconds()),
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	}
	if token == "" {
		cookie.MaxAge = -1
	}
	return cookie.String()
}
