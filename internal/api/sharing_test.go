package api_test

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"amanat/internal/app/config"
	"amanat/internal/lib/ratelimit"
)

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
	for path, status := range map[string]int{path(post): 404, "/posts/0198": 404, "/posts/": 404, "/profile/nobody": 404, "/deal/0198": 200} {
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
	_, err := f.owner.Exec(t.Context(), `update posts set id = '00000000-0000-7000-8000-000000000001' where id = $1`, hidden.ID)
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
