package api_test

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/realtime"
)

type page struct {
	status int
	header http.Header
	body   string
}

// shown returns what the body element of a page contains, or all of a page without one.
func (p page) shown() string {
	_, rest, found := strings.Cut(p.body, "<body>")
	if !found {
		return p.body
	}
	shown, _, _ := strings.Cut(rest, "</body>")
	return shown
}

// asIs is a transport that does not request gzip by itself.
var asIs = &http.Transport{DisableCompression: true}

func (f *fixture) page(method, path string, headers ...string) page {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.url+path, nil)
	require.NoError(f.t, err)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := asIs.RoundTrip(r)
	require.NoError(f.t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(f.t, err)
	return page{response.StatusCode, response.Header, string(body)}
}

func TestPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, path := range []string{
		"/", "/login", "/deal", "/deal/0198/dispute", "/profile/rahim", "/reset-password?token=a.b", "/terms", "/index.html",
		"/profile/john.doe", "/referral/AB.CD",
	} {
		got := f.page(http.MethodGet, path, "Cookie", "amanat=a-session")
		require.Equal(t, 200, got.status, path)
		require.Equal(t, "<!doctype html>", got.body, path)
		require.Equal(t, "no-cache", got.header.Get("Cache-Control"))
		require.Equal(t, "text/html; charset=utf-8", got.header.Get("Content-Type"))
		again := f.page(http.MethodGet, path, "If-None-Match", got.header.Get("Etag"), "Cookie", "amanat=a-session")
		require.Equal(t, http.StatusNotModified, again.status)
		require.Empty(t, again.body)
	}
	require.Empty(t, f.page(http.MethodHead, "/login").body)
	require.Equal(t, 405, f.page(http.MethodPost, "/login").status)
	require.Equal(t, "a mark", f.page(http.MethodGet, "/mark.svg").body)
	for _, path := range []string{
		"/assets/gone.js", "/assets/", "/favicon.ico", "/.vite/manifest.json", "/assets/../../secret.txt", "/visitor/en/terms.html",
		"/member/posts/create.html",
	} {
		got := f.page(http.MethodGet, path)
		require.Equal(t, 404, got.status, path)
		require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	}
}

// Visitors get prerendered pages in their language; other pages are marked as having no session.
func TestPages_visitor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, c := range []struct{ path, language, cookie, want string }{
		{"/", "", "", "landing in English"},
		{"/", "bn-BD,en;q=0.5", "", "landing in Bangla"},
		{"/", "en-US,bn;q=0.5", "", "landing in English"},
		{"/terms", "en", "language=bn", "terms in Bangla"},
		{"/terms/", "bn", "language=en", "terms in English"},
		{"/terms", "bn", "amanat=a-session", "<!doctype html>"},
		{"/login", "bn", "", "no session"},
		{"/", "fr, en;q=0.5, bn;q=0.9", "", "landing in Bangla"},
		{"/", "bn;q=x", "", "landing in English"},
		{"/signup", "", "", "no session"},
	} {
		got := f.page(http.MethodGet, c.path, "Accept-Language", c.language, "Cookie", c.cookie)
		require.Equal(t, c.want, got.shown(), c)
		require.Equal(t, "no-cache", got.header.Get("Cache-Control"))
		require.Contains(t, got.header.Get("Vary"), "Accept-Language, Cookie", "a cache in between must keep them apart")
	}
	english, bangla := f.page(http.MethodGet, "/terms"), f.page(http.MethodGet, "/terms", "Cookie", "language=bn")
	require.NotEqual(t, english.header.Get("Etag"), bangla.header.Get("Etag"))
}

// What does not exist is 404 with the site's page, and without one for whoever asks for a file.
func TestPages_missing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim := f.member("rahim")
	f.admin("boss").setRate(122)
	post := rahim.publish(nil)
	require.Equal(t, 200, f.page(http.MethodGet, path(post)).status)
	require.Equal(t, 200, f.page(http.MethodGet, "/profile/ra.him").status)
	rahim.do(http.MethodDelete, path(post), nil).want(200)
	for _, missing := range []string{path(post), "/profile/nobody", "/terms/more", "/apiary", "/deal/0198/more", "/../visitor/en/terms"} {
		for method, shown := range map[string]string{http.MethodGet: "no session", http.MethodHead: ""} {
			got := f.page(method, missing)
			require.Equal(t, 404, got.status, missing)
			require.Equal(t, shown, got.shown(), missing)
			require.Equal(t, "no-store", got.header.Get("Cache-Control"))
		}
	}
	got := f.page(http.MethodGet, "/john.doe", "Accept", "text/html,*/*")
	require.Equal(t, 404, got.status)
	require.Equal(t, "no session", got.shown())
	require.Equal(t, "<!doctype html>", f.page(http.MethodGet, "/nothing", "Cookie", "amanat=a-session").body)
	for from, to := range map[string]string{
		path(post) + ".?a=b": path(post) + "?a=b", "/d/ABC...": "/d/ABC", "//d/ABC.": "/d/ABC", "/.well-known/change-password": "/security",
	} {
		got := f.page(http.MethodGet, from)
		require.Equal(t, http.StatusFound, got.status, from)
		require.Equal(t, to, got.header.Get("Location"))
	}
	require.Equal(t, 404, f.page(http.MethodGet, "//evil.example.").status, "no redirect to another site")
}

// HEAD is answered like GET, without the body.
func TestPages_head(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim := f.member("rahim")
	for _, path := range []string{
		"/terms", "/mark.svg", "/robots.txt", "/sitemap.xml", "/sitemaps/pages.xml", "/api/openapi.json", "/api/public/pauses",
		"/share.jpg", rahim.publish(fields{"image": pictureURL(t, color.White, 40, 30)}).Image + "/card", "/api/images/0198/card",
		"/api/nothing", "/api/dashboard", "/healthz",
	} {
		head, get := f.page(http.MethodHead, path), f.page(http.MethodGet, path)
		require.Equal(t, get.status, head.status, path)
		require.Equal(t, get.header.Get("Content-Type"), head.header.Get("Content-Type"), path)
		require.Empty(t, head.body, path)
	}
}

// The routes are those of the UI.
func TestPageRoutes(t *testing.T) {
	t.Parallel()
	const folder = "../../ui/src/routes"
	var routes []string
	require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, _ fs.DirEntry, err error) error {
		_, file, nested := strings.Cut(name, "/")
		if page, found := strings.CutSuffix(file, ".tsx"); err == nil && nested && found && page != "$" {
			// Layouts without a path begin with _; a name that ends with _ is outside its parent's.
			page = "/" + strings.ReplaceAll(strings.ReplaceAll(page, ".", "/"), "_/", "/")
			page = strings.TrimPrefix(regexp.MustCompile(`/_[a-z]+`).ReplaceAllString(page, ""), "/")
			routes = append(routes, strings.TrimPrefix(strings.TrimSuffix("/"+page, "/index"), "/"))
		}
		return err
	}))
	slices.Sort(routes)
	require.Equal(t, slices.Compact(routes), api.PageRoutes)
}

// The documents of pages behind the login are for those with a session, by the pattern of the path.
func TestPages_member(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for path, want := range map[string]string{"/deal/0198": "a deal", "/deal/0198/": "a deal", "/posts/create": "a new post"} {
		got := f.page(http.MethodGet, path, "Cookie", "amanat=a-session")
		require.Equal(t, want, got.shown(), path)
		require.Equal(t, "no-cache", got.header.Get("Cache-Control"))
		require.Equal(t, "no session", f.page(http.MethodGet, path).shown(), path)
	}
}

func TestAssets(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for accepted, want := range map[string]string{
		"gzip, deflate, br": "brotli", "gzip": "gzip", "br;q=0, gzip;q=0.5": "gzip", "": "plain", "identity": "plain", "zstd": "plain",
	} {
		got := f.page(http.MethodGet, "/assets/index-abc.js", "Accept-Encoding", accepted)
		require.Equal(t, want, got.body, accepted)
		require.Equal(t, "public, max-age=31536000, immutable", got.header.Get("Cache-Control"))
		require.Equal(t, "text/javascript; charset=utf-8", got.header.Get("Content-Type"))
		require.Equal(t, "Accept-Encoding", got.header.Get("Vary"))
		require.Equal(t, map[string]string{"brotli": "br", "gzip": "gzip"}[want], got.header.Get("Content-Encoding"))
		require.Equal(t, strconv.Itoa(len(want)), got.header.Get("Content-Length"))

		head := f.page(http.MethodHead, "/assets/index-abc.js", "Accept-Encoding", accepted)
		require.Empty(t, head.body)
		for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Type", "Etag", "Cache-Control"} {
			require.Equal(t, got.header.Get(name), head.header.Get(name), name)
		}
		unchanged := f.page(http.MethodGet, "/assets/index-abc.js", "Accept-Encoding", accepted,
			"If-None-Match", `"other", W/`+got.header.Get("Etag"))
		require.Equal(t, http.StatusNotModified, unchanged.status)
		require.Empty(t, unchanged.body)
	}
	require.Empty(t, f.page(http.MethodGet, "/assets/font-abc.woff2").header.Get("Vary"))
}

// Ranges are served from the uncompressed file, whatever encodings the client accepts.
func TestAssets_range(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	part := f.page(http.MethodGet, "/assets/index-abc.js", "Range", "bytes=1-3", "Accept-Encoding", "br")
	require.Equal(t, http.StatusPartialContent, part.status)
	require.Equal(t, "lai", part.body)
	require.Equal(t, "bytes 1-3/5", part.header.Get("Content-Range"))
	require.Empty(t, part.header.Get("Content-Encoding"))
	require.Equal(t, "public, max-age=31536000, immutable", part.header.Get("Cache-Control"))

	stale := f.page(http.MethodGet, "/assets/index-abc.js", "Range", "bytes=1-3", "If-Range", `"of-another-build"`)
	require.Equal(t, http.StatusOK, stale.status)
	require.Equal(t, "plain", stale.body)
	require.Equal(t, http.StatusRequestedRangeNotSatisfiable, f.page(http.MethodGet, "/assets/index-abc.js", "Range", "bytes=9-").status)
}

func TestAssemble_without_ui(t *testing.T) {
	t.Parallel()
	handler, err := api.Assemble(api.Dependencies{
		Config: config.API{Shared: config.Shared{PublicURL: "http://localhost:8080"}}, Clock: clock.System{},
		Link: realtime.NewLink(noRedis(), quiet()), Logger: quiet(),
		Messages: messenger{}, Metrics: prometheus.NewRegistry(), Redis: noRedis(), UI: fstest.MapFS{".gitkeep": &fstest.MapFile{}},
	})
	require.NoError(t, err)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	require.Equal(t, http.StatusServiceUnavailable, recorder.Code)
	require.Contains(t, recorder.Body.String(), "make build")
}

// headOf is what a site that runs no scripts reads in a page.
type headOf struct {
	language, title, canonical string
	metas                      map[string]string // by name or property
}

func (f *fixture) head(path string, headers ...string) headOf {
	f.t.Helper()
	got := f.page(http.MethodGet, path, headers...)
	require.Equal(f.t, 200, got.status)
	return f.parsed(got)
}

func (f *fixture) parsed(got page) headOf {
	f.t.Helper()
	root, err := html.Parse(strings.NewReader(got.body))
	require.NoError(f.t, err)
	head := headOf{metas: map[string]string{}}
	for node := range root.Descendants() {
		attributes := map[string]string{}
		for _, a := range node.Attr {
			attributes[a.Key] = a.Val
		}
		switch node.Data {
		case "html":
			head.language = attributes["lang"]
		case "title":
			require.Empty(f.t, head.title, "one title")
			head.title = node.FirstChild.Data
		case "link":
			if attributes["rel"] == "canonical" {
				head.canonical = attributes["href"]
			}
		case "meta":
			name := attributes["name"] + attributes["property"]
			require.NotContains(f.t, head.metas, name, "once")
			head.metas[name] = attributes["content"]
		}
	}
	return head
}

// card returns the picture that a head names.
func (f *fixture) card(head headOf) image.Image {
	f.t.Helper()
	path, found := strings.CutPrefix(head.metas["og:image"], f.url)
	require.True(f.t, found, "an absolute address")
	got := f.page(http.MethodGet, path)
	require.Equal(f.t, 200, got.status, got.body)
	require.Equal(f.t, "image/jpeg", got.header.Get("Content-Type"))
	require.Equal(f.t, "cross-origin", got.header.Get("Cross-Origin-Resource-Policy"))
	require.Regexp(f.t, `^public, max-age=\d{5}`, got.header.Get("Cache-Control"), "a day or more")
	picture, err := jpeg.Decode(strings.NewReader(got.body))
	require.NoError(f.t, err)
	require.Equal(f.t, image.Pt(1200, 630), picture.Bounds().Size())
	for name, want := range map[string]string{"type": "image/jpeg", "width": "1200", "height": "630"} {
		require.Equal(f.t, want, head.metas["og:image:"+name])
	}
	return picture
}

// siteCard requires that a head names the picture of the site.
func (f *fixture) siteCard(head headOf) {
	f.t.Helper()
	f.card(head)
	require.Equal(f.t, f.url+"/share.jpg", head.metas["og:image"])
	require.Contains(f.t, []string{
		"The buyer pays Amanat. The seller is paid when the buyer confirms.",
		"ক্রেতা টাকা দেন আমানতকে। ক্রেতা নিশ্চিত করলে বিক্রেতা টাকা পান।",
	}, head.metas["og:image:alt"])
}

func TestSharing_post(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, seller := f.admin("boss"), f.member("rahim")
	boss.setRate(122.4)
	post := seller.publish(fields{
		"title": `Logo <b>"24h"</b> & more`, "price": 130, "image": pictureURL(t, color.RGBA{0, 0x90, 0, 0xff}, 400, 300),
	})
	head := f.head(path(post))
	require.Equal(t, `Logo <b>"24h"</b> & more | Amanat`, head.title)
	require.Equal(t, "en", head.language)
	require.Equal(t, f.url+path(post), head.canonical)
	const described = "From $130.00 (৳15,860), by rahim. Pay through Amanat: we hold the money until you confirm."
	require.Equal(t, described, head.metas["description"])
	for name, want := range map[string]string{
		"og:title": head.title, "og:description": described, "og:url": head.canonical, "og:locale": "en_US", "og:type": "product",
		"product:price:amount": "130.00", "product:price:currency": "USD", "twitter:card": "summary_large_image", "og:site_name": "Amanat",
	} {
		require.Equal(t, want, head.metas[name], name)
	}
	card := f.card(head)
	require.Equal(t, head.title, head.metas["og:image:alt"])
	for _, at := range []image.Point{{5, 5}, {1195, 5}, {600, 315}, {5, 625}, {1195, 625}} {
		r, g, b, _ := card.At(at.X, at.Y).RGBA()
		require.True(t, g > r+0x3000 && g > b+0x3000, "the post's picture, without a margin")
	}

	bangla := f.head(path(post), "Accept-Language", "bn")
	require.Equal(t, "bn", bangla.language)
	require.Contains(t, bangla.metas["description"], "$১৩০.০০ (৳১৫,৮৬০)")
	require.Equal(t, head.metas["og:image"], bangla.metas["og:image"])

	seller.put(path(post), offer(fields{"title": "A logo", "image": ""})).want(200)
	changed := f.head(path(post))
	require.Equal(t, "A logo | Amanat", changed.title)
	f.siteCard(changed)
}

// Other sites show a picture only if everybody may see it.
func TestSharing_card_of_private_image(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, karim, visitor := f.admin("boss"), f.member("karim"), f.visitor()
	post := karim.publish(fields{"image": pictureURL(t, color.White, 300, 700)})
	card := belowAPI(post.Image) + "/card"
	require.Equal(t, 1200, visitor.get(card).want(200).width(), "of a tall picture, too")
	f.member("rahim").reportsOne("post", post.ID.String()).want(201)
	boss.rules(boss.openCase().ID, fields{"action": "hide", "reason": "A scam"}).want(200)
	for _, b := range []*browser{visitor, karim, boss} {
		b.get(card).refused(404, "not_found", "Not found.")
	}
	visitor.get("/images/0198/card").refused(404, "not_found", "Not found.")
}

// A page says nothing of what a visitor may not see.
func TestSharing_hidden(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, rahim, karim := f.admin("boss"), f.member("rahim"), f.member("karim")
	boss.setRate(122)
	post := karim.publish(fields{"title": "Secret offer"})
	rahim.reportsOne("post", post.ID.String()).want(201)
	boss.rules(boss.openCase().ID, fields{"action": "hide", "reason": "A scam"}).want(200)
	for path, status := range map[string]int{
		path(post): 404, "/posts/0198": 404, "/posts/": 404, "/profile/nobody": 404,
		"/deal/0198": 200, "/posts/create": 200, "/posts/edit/0198": 200, "/profile": 200,
	} {
		got := f.page(http.MethodGet, path)
		require.Equal(t, status, got.status, path)
		head := f.parsed(got)
		require.Equal(t, "no session & more", head.title, path)
		require.NotContains(t, head.metas, "og:title", path)
	}
	signedIn := f.page(http.MethodGet, "/profile/rahim", "Cookie", "amanat=a-session")
	require.Equal(t, "<!doctype html>", signedIn.body)
}

func TestSharing_profile(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	boss.setRate(122)
	head := f.head("/profile/seller")
	require.Equal(t, "seller | Amanat", head.title)
	require.Equal(t, "Posts and reviews of seller on Amanat, where your money is held until you confirm.", head.metas["description"])
	f.siteCard(head)
	seller.put("/auth/update-profile", fields{"profilePic": pictureURL(t, color.White, 200, 200)}).want(200)
	offered := seller.proposeToBuyer(buyer, 10)
	buyer.post(pay(offered), nil).want(200)
	buyer.post(complete(offered), nil).want(200)
	head = f.head("/profile/seller")
	require.Equal(t, "seller has completed 1 of 1 deals on Amanat, where your money is held until you confirm.", head.metas["description"])
	require.NotEqual(t, f.url+"/share.jpg", head.metas["og:image"])
	f.card(head)
}

// Prerendered pages keep their own titles, and every encoding of a page has the same content.
func TestSharing_prerendered(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	head := f.head("/terms", "Accept-Language", "bn")
	require.Equal(t, "terms in Bangla & more", head.title)
	require.Equal(t, "About terms in Bangla", head.metas["og:description"])
	require.Equal(t, "bn_BD", head.metas["og:locale"])
	require.Equal(t, f.url+"/terms", head.canonical)
	require.Equal(t, f.url+"/", f.head("/").canonical)
	f.siteCard(head)
	for _, path := range []string{"/terms", "/profile/" + f.member("rahim").user.Username} {
		plain := f.page(http.MethodGet, path)
		zipped := f.page(http.MethodGet, path, "Accept-Encoding", "gzip")
		reader, err := gzip.NewReader(strings.NewReader(zipped.body))
		require.NoError(t, err)
		require.Equal(t, plain.body, readAll(t, reader))
		packed := f.page(http.MethodGet, path, "Accept-Encoding", "gzip, br")
		require.Equal(t, plain.body, readAll(t, brotli.NewReader(strings.NewReader(packed.body))))
		require.NotEqual(t, plain.header.Get("Etag"), packed.header.Get("Etag"))
	}
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	content, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(content)
}

// A visitor who reads too much gets the page without a head of its own, and no pictures.
func TestSharing_limited(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.AnonymousReadLimit = ratelimit.Rate{Count: 12, Per: time.Minute} })
	card := belowAPI(f.member("rahim").publish(fields{"image": pictureURL(t, color.White, 40, 30)}).Image) + "/card"
	f.visitor().get(card).want(200)
	f.visitor().get(card).refused(429, "rate_limited", textTooMany)
	require.Equal(t, "rahim | Amanat", f.head("/profile/rahim").title)
	f.head("/profile/rahim")
	require.Equal(t, "no session & more", f.head("/profile/rahim").title)
}

func TestSitemap(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var index struct {
		Sitemaps []string `xml:"sitemap>loc"`
	}
	read := func(address string, into any) {
		t.Helper()
		got := f.page(http.MethodGet, strings.TrimPrefix(address, f.url))
		require.Equal(t, 200, got.status)
		require.Equal(t, "application/xml; charset=utf-8", got.header.Get("Content-Type"))
		require.NoError(t, xml.NewDecoder(bytes.NewBufferString(got.body)).Decode(into))
	}
	robots := f.page(http.MethodGet, "/robots.txt").body
	require.Contains(t, robots, "\nDisallow: /api/\n")
	require.Contains(t, robots, "Sitemap: "+f.url+"/sitemap.xml\n")
	read("/sitemap.xml", &index)
	require.Equal(t, []string{f.url + "/sitemaps/pages.xml"}, index.Sitemaps)

	boss, rahim, karim := f.admin("boss"), f.member("rahim"), f.member("karim")
	shown, hidden, disabled := rahim.publish(nil), rahim.publish(nil), karim.publish(nil)
	_, err := f.owner.Exec(t.Context(), `delete from new_posts`)
	require.NoError(t, err)
	_, err = f.owner.Exec(t.Context(), `update posts set id = '00000000-0000-7000-8000-000000000001' where id = $1`, hidden.ID)
	require.NoError(t, err)
	boss.post("/admin/users/"+karim.user.ID.String()+"/disable", nil).want(200)
	index.Sitemaps = nil
	read("/sitemap.xml", &index)
	require.Greater(t, len(index.Sitemaps), 20_000, "a sitemap for each day since the first post")
	require.Equal(t, f.url+"/sitemaps/1970-01-01.xml", index.Sitemaps[1])
	var pages struct {
		URLs []string `xml:"url>loc"`
	}
	read(index.Sitemaps[len(index.Sitemaps)-1], &pages)
	require.Equal(t, []string{f.url + path(shown)}, pages.URLs, "without %s", disabled.ID)
	pages.URLs = nil
	read(index.Sitemaps[0], &pages)
	require.Contains(t, pages.URLs, f.url+"/explore")
	for _, path := range []string{"/sitemaps/yesterday.xml", "/sitemaps/2026-01-01"} {
		require.Equal(t, 404, f.page(http.MethodGet, path).status, path)
	}
}
