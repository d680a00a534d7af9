package api

import (
	"net/http"
	"time"

	"amanat/internal/accounts"
)

// cookieName returns the name of a cookie. With HTTPS the prefix makes browsers refuse one that another host or an insecure page has set.
func cookieName(name string, secure bool) string {
	if secure {
		return "__Host-" + name
	}
	return name
}

// maxToken is far longer than any token of ours.
const maxToken = 128

func readCookie(r *http.Request, name string) accounts.Token {
	cookie, err := r.Cookie(name)
	if err != nil || len(cookie.Value) > maxToken {
		return ""
	}
	return accounts.Token(cookie.Value)
}

// sessionCookie returns the header that gives the browser its session, or takes it away when it is "".
func (s *Server) sessionCookie(token accounts.Token) string {
	return s.newCookie(s.cookie, token, accounts.SessionLife)
}

// knownBy returns the header that gives the browser what it is known by after its session.
func (s *Server) knownBy(token accounts.Token) string {
	return s.newCookie(s.browserCookie, token, accounts.BrowserLife)
}

func (s *Server) newCookie(name string, token accounts.Token, life time.Duration) string {
	cookie := http.Cookie{ //nolint:gosec // Secure wherever the site is reached by https
		Name: name, Value: string(token), Path: "/", MaxAge: int(life.Seconds()),
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	}
	if token == "" {
		cookie.MaxAge = -1
	}
	return cookie.String()
}
