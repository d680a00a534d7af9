package api_test

import (
	"image/color"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/clock"
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
		"/member/deal/new.html",
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
			page = strings.ReplaceAll(page, ".", "/")
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
	for path, want := range map[string]string{"/deal/0198": "a deal", "/deal/0198/": "a deal", "/deal/new": "a new deal"} {
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
