package api

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/text/language"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/fault"
)

const (
	spaRoute  = "/*"
	indexFile = "index.html"

	// Pages prerendered for visitors without a session: {language}/{path}.html, and
	// index.html, which tells the UI that there is no session.
	visitorFolder = "visitor/"
	// Documents of pages behind the login, which name the code of their page: {path}.html, with
	// parameters as the UI's router writes them ($dealId).
	memberFolder = "member/"

	languageCookie = "language" // set by the UI's language switch

	// Names under assets/ hold a hash of the content.
	cacheForever = "public, max-age=31536000, immutable"
	cacheDay     = "public, max-age=86400"
	cacheAsk     = "no-cache" // revalidate each time
)

// spa serves the built UI from memory: a file if it exists, otherwise a document, whose router
// handles the path.
type spa struct {
	files    map[string]spaFile                 // by path from the root, without the compressed siblings
	visitors map[string]func() (spaFile, error) // by path from visitorFolder
	members  map[string]spaFile                 // by route, one of pageRoutes
	session  string                             // name of the cookie
	origin   string                             // of the site
	// blank is the document of visitors' pages that are not prerendered; nil without a built UI.
	// describe returns the head of such a page. It fails with NotFound if what the page is about
	// does not exist, and with another error if the page has no head of its own.
	blank    *spaDocument
	describe func(r *http.Request, path, language string) (pageHead, error)
}

type spaFile struct {
	contentType string
	cache       string
	variants    []spaVariant // best first; the last is not compressed
}

type spaVariant struct {
	encoding string // "" if not compressed
	content  []byte
	etag     string
}

// encodings are the compressed siblings that a build may add to a file, best first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// readFiles reads all files. Names with a leading dot are internal to the build and skipped.
func (s *spa) readFiles(dist fs.FS) error {
	s.files, s.members = map[string]spaFile{}, map[string]spaFile{}
	visitors := map[string]spaFile{}
	err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() || isVariant(name):
			return nil
		}
		file, err := readSPAFile(dist, name)
		if document, found := strings.CutPrefix(name, visitorFolder); found {
			visitors[document] = file
		} else if document, found := strings.CutPrefix(name, memberFolder); found {
			s.members[strings.TrimSuffix(document, ".html")] = file
		} else {
			s.files[name] = file
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.describeVisitors(visitors)
}

// describeVisitors adds to the prerendered pages what other sites show of them. A page is
// compressed when somebody asks for it: all together would delay the start by a second.
func (s *spa) describeVisitors(prerendered map[string]spaFile) error {
	s.visitors = make(map[string]func() (spaFile, error), len(prerendered))
	for name, file := range prerendered {
		document := parseDocument(file.plain())
		if name == indexFile {
			s.blank = document
		}
		if document == nil || name == indexFile {
			s.visitors[name] = func() (spaFile, error) { return file, nil }
			continue
		}
		path, language := pathOf(name)
		content, err := document.with(pageHead{
			Title: document.title, Description: document.description, Path: path, Language: language,
		}, s.origin)
		if err != nil {
			return err
		}
		s.visitors[name] = sync.OnceValues(func() (spaFile, error) { return htmlFile(content, brotliOnce, gzipOnce) })
	}
	return nil
}

// plain returns the content without compression.
func (f spaFile) plain() []byte { return f.variants[len(f.variants)-1].content }

func isVariant(name string) bool {
	for _, encoding := range encodings {
		if strings.HasSuffix(name, encoding.suffix) {
			return true
		}
	}
	return false
}

// contentTypeOf returns the content type of a file. What mime knows of manifests depends on the
// system.
func contentTypeOf(name string) string {
	if path.Ext(name) == ".webmanifest" {
		return "application/manifest+json"
	}
	return mime.TypeByExtension(path.Ext(name))
}

func readSPAFile(dist fs.FS, name string) (spaFile, error) {
	file := spaFile{contentType: contentTypeOf(name), cache: cacheAsk}
	switch {
	case strings.HasPrefix(name, "assets/"):
		file.cache = cacheForever
	case name == siteCard:
		file.cache = cacheDay
	}
	for _, encoding := range append(encodings[:len(encodings):len(encodings)], struct{ name, suffix string }{}) {
		content, err := fs.ReadFile(dist, name+encoding.suffix)
		if errors.Is(err, fs.ErrNotExist) && encoding.name != "" {
			continue
		}
		if err != nil {
			return spaFile{}, fmt.Errorf("read %s: %w", name+encoding.suffix, err)
		}
		sum := sha256.Sum256(content)
		file.variants = append(file.variants, spaVariant{encoding.name, content, `"` + hex.EncodeToString(sum[:16]) + `"`})
	}
	return file, nil
}

// ServeHTTP serves a file or a document.
func (s *spa) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "This address does not take this kind of request.", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if file, found := s.files[name]; found && name != indexFile {
		if name == siteCard { // other sites show it
			w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		}
		file.serve(w, r)
		return
	}
	// Messengers take the full stop after an address for a part of it.
	if plain := strings.TrimRight(name, "."); plain != name && isPage(plain) {
		address := url.URL{Path: "/" + plain, RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, address.String(), http.StatusFound)
		return
	}
	page, status := name == indexFile || isPage(name), http.StatusOK
	if !page {
		// What asks for a missing file gets no page in its place, which would hide the mistake.
		if strings.HasPrefix(name+"/", "assets/") || path.Ext(name) != "" && !strings.Contains(r.Header.Get("Accept"), "text/html") {
			w.Header().Set("Cache-Control", "no-store")
			http.Error(w, "There is nothing at this address.", http.StatusNotFound)
			return
		}
		status = http.StatusNotFound
	}
	document, err := s.document(r, name)
	if fault.CodeOf(err) == fault.NotFound {
		status, err = http.StatusNotFound, nil
	}
	if err != nil || len(document.variants) == 0 {
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "The UI is not built. Run `make build` or `make run`. The API is at /api.", http.StatusServiceUnavailable)
		return
	}
	w.Header().Add("Vary", "Accept-Language, Cookie")
	document.serveAs(w, r, status)
}

// document returns the page at a path: for a visitor the prerendered page if there is one,
// otherwise the document that renders it in the browser, with the head of the page. It fails with
// NotFound, and the document, if what the page is about does not exist. Without a built UI the
// document is empty.
func (s *spa) document(r *http.Request, name string) (file spaFile, err error) {
	var missing error
	if readCookie(r, s.session) == "" {
		language := pageLanguage(r)
		page := strings.TrimSuffix(cmp.Or(name, indexFile), ".html")
		if prerendered, found := s.visitors[language+"/"+page+".html"]; found {
			return prerendered()
		}
		if s.blank != nil {
			head, err := s.describe(r, name, language)
			if err == nil {
				content, err := s.blank.with(head, s.origin)
				if err != nil {
					return spaFile{}, err
				}
				return htmlFile(content, brotliCall, gzipCall)
			}
			if fault.CodeOf(err) == fault.NotFound {
				missing = err
			}
		}
		if prerendered, found := s.visitors[indexFile]; found {
			if file, err = prerendered(); err == nil {
				err = missing
			}
			return file, err
		}
	}
	route, _ := pageRouteAt(name)
	if member, found := s.members[route]; found {
		return member, missing
	}
	return s.files[indexFile], missing
}

// pageLanguage returns the language of a page, like the UI: the one chosen in this browser,
// otherwise the one that the browser weighs most.
func pageLanguage(r *http.Request) string {
	if cookie, err := r.Cookie(languageCookie); err == nil && cookie.Value != "" {
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(cookie.Value)), catalog.Bangla) {
			return catalog.Bangla
		}
		return catalog.English
	}
	tags, _, _ := language.ParseAcceptLanguage(r.Header.Get("Accept-Language")) // of a malformed header, none
	for _, tag := range tags {
		if base, _ := tag.Base(); base.String() == catalog.Bangla || base.String() == catalog.English {
			return base.String()
		}
	}
	return catalog.English
}

// serveAs serves a document with a status. Only one that exists is compared with what the client
// has.
func (f spaFile) serveAs(w http.ResponseWriter, r *http.Request, status int) {
	if status == http.StatusOK {
		f.serve(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", f.contentType)
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, bytes.NewReader(f.plain())) // fails only if the client is gone
	}
}

func (f spaFile) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", f.cache)
	if f.contentType != "" {
		header.Set("Content-Type", f.contentType)
	}
	if len(f.variants) > 1 {
		header.Add("Vary", "Accept-Encoding")
	}
	variant := f.variants[len(f.variants)-1]
	if r.Header.Get("Range") == "" { // ranges apply to the uncompressed file
		for _, candidate := range f.variants {
			if candidate.encoding == "" || accepts(r, candidate.encoding) {
				variant = candidate
				break
			}
		}
	}
	header.Set("Etag", variant.etag)
	if variant.encoding != "" {
		header.Set("Content-Encoding", variant.encoding)
		header.Set("Content-Length", strconv.Itoa(len(variant.content)))
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(variant.content))
}

// accepts reports whether the client accepts an encoding: it is listed without a weight of zero.
func accepts(r *http.Request, encoding string) bool {
	for offer := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(offer), ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		weight, found := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q=")
		value, err := strconv.ParseFloat(weight, 64)
		return !found || err != nil || value > 0
	}
	return false
}

// pageRoutes are the paths of the UI's pages (ui/src/routes); a segment "$name" stands for any. Any
// other path answers 404.
var pageRoutes = []string{
	"", "MyPosts", "aboutus", "admin", "admin/audit", "admin/bug-reports", "admin/chat",
	"admin/contact-messages", "admin/corrections", "admin/dashboard", "admin/deals", "admin/deposit",
	"admin/disputes", "admin/disputes/$id", "admin/notifications", "admin/payments", "admin/reports", "admin/support-requests", "admin/users",
	"admin/withdrawal", "appeal", "balance", "balance/checkouts/$checkoutId", "balance/deposits/$depositId",
	"balance/deposits/$depositId/receipt", "balance/statement", "balance/statement/print",
	"check/$code", "confirm-email", "confirm-withdrawal", "contactus", "d/$code", "dashboard", "deal",
	"deal/$dealId", "deal/$dealId/dispute", "deal/$dealId/receipt", "deals", "decisions/$id", "deposit", "disputes/$id",
	"explore", "forgot-password", "held/$code", "inbox", "inbox/$conversationId", "login", "not-me", "not-my-factor",
	"notifications", "ourleaders", "papers", "posts/$postId", "posts/create", "posts/edit/$postId",
	"privacy", "profile", "profile/$username", "refer", "referral/$code", "reportabug", "reports",
	"reset-password", "saved", "security", "signup", "support", "terms", "undo-email", "unsubscribe",
	"verify-email", "withdraw",
}

// isPage reports whether the UI has a page at a path, given without its first slash.
func isPage(name string) bool {
	_, found := pageRouteAt(name)
	return found
}

// pageRouteAt returns which of pageRoutes matches a path, given without its first slash. One
// without parameters is preferred: posts/create is not a post.
func pageRouteAt(name string) (route string, found bool) {
	if slices.Contains(pageRoutes, name) {
		return name, true
	}
	given := strings.Split(name, "/")
	for _, route := range pageRoutes {
		if slices.EqualFunc(strings.Split(route, "/"), given, func(segment, given string) bool {
			return segment == given || strings.HasPrefix(segment, "$")
		}) {
			return route, true
		}
	}
	return "", false
}

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
	content, err := s.buildSitemap(r, build)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", sitemapCache)
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	_, _ = w.Write(append([]byte(xml.Header), content...)) //nolint:gosec // the encoder escapes; it fails only if the client is gone
}

func (s *Server) buildSitemap(r *http.Request, build func(ctx context.Context) (any, error)) ([]byte, error) {
	ctx, end, err := s.begin(r.Context())
	defer end()
	if err != nil {
		return nil, err
	}
	client := accounts.Client{Address: requestInfoOf(ctx).address}
	if decision := s.allowVisitor(ctx, client, costlyRead); !decision.Allowed {
		return nil, rateLimitError(decision.RetryAfter)
	}
	document, err := build(ctx)
	if err != nil {
		return nil, err
	}
	return xml.Marshal(document)
}
