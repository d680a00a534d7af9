package api

import (
	"context"
	"encoding/xml"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/domain/accounts"
)

// costlyRead is what a sitemap, or the picture of a link, costs of a visitor's reads.
const costlyRead = 10

const (
	sitemapCache = "public, max-age=3600"
	sitemapSpace = "http://www.sitemaps.org/schemas/sitemap/0.9"
)

// publicPages are the pages that search engines list beside posts.
var publicPages = []string{"/", "/explore", "/aboutus", "/ourleaders", "/papers", "/contactus", "/terms", "/privacy"}

// robots serves /robots.txt: pages behind the login are of no use to search engines.
func (s *Server) robots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", sitemapCache)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(strings.Join([]string{
		"User-agent: *",
		"Allow: /api/images/",
		"Disallow: /api/",
		"Disallow: /admin",
		"",
		"Sitemap: " + s.origins[0] + "/sitemap.xml",
		"",
	}, "\n")))
}

type sitemapLocation struct {
	URL      string `xml:"loc"`
	Modified string `xml:"lastmod,omitempty"`
}

type sitemapIndex struct {
	XMLName  xml.Name          `xml:"sitemapindex"`
	Space    string            `xml:"xmlns,attr"`
	Sitemaps []sitemapLocation `xml:"sitemap"`
}

type sitemapPages struct {
	XMLName xml.Name          `xml:"urlset"`
	Space   string            `xml:"xmlns,attr"`
	Pages   []sitemapLocation `xml:"url"`
}

// sitemap serves /sitemap.xml: the index of one sitemap for the pages, and one for the posts of
// each day.
func (s *Server) sitemap(w http.ResponseWriter, r *http.Request) {
	s.serveSitemap(w, r, func(ctx context.Context) (any, error) {
		days, err := s.posts.Days(ctx)
		index := sitemapIndex{Space: sitemapSpace, Sitemaps: []sitemapLocation{{URL: s.origins[0] + "/sitemaps/pages.xml"}}}
		for _, day := range days {
			index.Sitemaps = append(index.Sitemaps, sitemapLocation{URL: s.origins[0] + "/sitemaps/" + day.Format(time.DateOnly) + ".xml"})
		}
		return index, err
	})
}

// sitemapDay serves the sitemap of the pages or of a day.
func (s *Server) sitemapDay(w http.ResponseWriter, r *http.Request) {
	s.serveSitemap(w, r, func(ctx context.Context) (any, error) {
		pages := sitemapPages{Space: sitemapSpace}
		name, isXML := strings.CutSuffix(r.PathValue("day"), ".xml")
		if name == "pages" && isXML {
			for _, path := range publicPages {
				pages.Pages = append(pages.Pages, sitemapLocation{URL: s.origins[0] + path})
			}
			return pages, nil
		}
		day, err := time.Parse(time.DateOnly, name)
		if err != nil || !isXML {
			return nil, errNotFound()
		}
		err = s.posts.OfDay(ctx, day, func(id uuid.UUID, updated time.Time) {
			pages.Pages = append(pages.Pages, sitemapLocation{
				URL: s.origins[0] + "/posts/" + id.String(), Modified: updated.UTC().Format(time.RFC3339),
			})
		})
		return pages, err
	})
}

func (s *Server) serveSitemap(w http.ResponseWriter, r *http.Request, build func(ctx context.Context) (any, error)) {
	ctx, cancel := context.WithTimeout(r.Context(), handleTimeout)
	defer cancel()
	client := accounts.Client{Address: requestInfoOf(ctx).address}
	decision := s.allowVisitor(ctx, client, costlyRead)
	if !decision.Allowed {
		s.refuse(w, r, rateLimitError(decision.RetryAfter))
		return
	}
	document, err := build(ctx)
	if err == nil {
		var content []byte
		if content, err = xml.Marshal(document); err == nil {
			w.Header().Set("Cache-Control", sitemapCache)
			w.Header().Set("Content-Type", "application/xml; charset=utf-8")
			_, _ = w.Write(append([]byte(xml.Header), content...)) // fails only if the client is gone
			return
		}
	}
	s.refuse(w, r, err)
}
