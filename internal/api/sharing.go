package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"math/bits"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/andybalholm/brotli"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/posts"
	"amanat/internal/domain/reports"
	"amanat/internal/money"
)

// describeTimeout bounds the reads for the head of a page: a page without it is better than none.
const describeTimeout = time.Second

// describePage returns the head of a page that is about a post or a user (docs/rules.md#sharing).
// It fails for other pages, and if the visitor reads too much or the reads fail: the page says by
// itself what is wrong. Code NotFound if there is no such post or user.
func (s *Server) describePage(r *http.Request, path, language string) (pageHead, error) {
	route, _ := pageRouteAt(path)
	describe, found := map[string]func(ctx context.Context, id, language string) (pageHead, error){
		"posts/$postId": s.describePost, "profile/$username": s.describeProfile, "d/$code": s.describeInvite,
		"held/$code":  unlisted(catalog.ShareProof, catalog.ShareProofNote),
		"check/$code": unlisted(catalog.SharePaper, catalog.SharePaperNote),
	}[route]
	if !found {
		return pageHead{}, errNoHead
	}
	_, id, _ := strings.Cut(path, "/")
	ctx, cancel := context.WithTimeout(r.Context(), describeTimeout)
	defer cancel()
	client := accounts.Client{Address: requestInfoOf(r.Context()).address}
	if decision := s.allowVisitor(ctx, client, 1); !decision.Allowed {
		return pageHead{}, errNoHead
	}
	head, err := describe(ctx, id, language)
	if err != nil {
		return pageHead{}, err
	}
	head.Title = catalog.Render(language, catalog.ShareTitle, catalog.Params{"title": head.Title})
	head.Path, head.Language = r.URL.Path, language
	return head, nil
}

var errNoHead = errors.New("api: the page has no head of its own")

func (s *Server) describePost(ctx context.Context, id, language string) (pageHead, error) {
	post, rate, err := s.sharedPost(ctx, id)
	if err != nil {
		return pageHead{}, err
	}
	standing, err := s.reports.Standing(ctx, post.CreatedBy.ID, reports.Period{})
	if err != nil {
		return pageHead{}, err
	}
	params, err := postParams(post, rate)
	if err != nil {
		return pageHead{}, err
	}
	kind := catalog.SharePost
	params["username"] = post.CreatedBy.Username
	if standing.AverageRating != nil {
		kind, params["rating"] = catalog.SharePostRated, strconv.FormatFloat(*standing.AverageRating, 'f', 1, 64)
	}
	return pageHead{
		Title: post.Title, Description: catalog.Render(language, kind, params), Price: post.Price.String(),
		Picture: post.Image(),
	}, nil
}

func (s *Server) describeProfile(ctx context.Context, username, language string) (pageHead, error) {
	user, standing, err := s.sharedUser(ctx, username)
	if err != nil {
		return pageHead{}, err
	}
	kind := catalog.ShareProfile
	if standing.Completed > 0 {
		kind = catalog.ShareProfileDone
	}
	description := catalog.Render(language, kind, catalog.Params{
		"username": user.Username, "completed": strconv.Itoa(standing.Completed), "finished": strconv.Itoa(standing.Finished),
	})
	return pageHead{Title: user.Username, Description: description, Picture: user.ProfilePic}, nil
}

// sharedPost returns a post that everybody may see, and the exchange rate. Code NotFound.
func (s *Server) sharedPost(ctx context.Context, id string) (posts.Post, money.Rate, error) {
	postID, err := parseID(id)
	if err != nil {
		return posts.Post{}, 0, err
	}
	post, err := s.posts.Get(ctx, posts.Reader{}, postID)
	if err != nil {
		return posts.Post{}, 0, err
	}
	rate, err := s.wallet.Rate(ctx)
	return post, rate, err
}

// sharedUser returns a user and their record. Code NotFound.
func (s *Server) sharedUser(ctx context.Context, username string) (accounts.User, reports.Standing, error) {
	user, err := s.accounts.Find(ctx, username)
	if err != nil {
		return accounts.User{}, reports.Standing{}, err
	}
	standing, err := s.reports.Standing(ctx, user.ID, reports.Period{})
	return user, standing, err
}

func postParams(post posts.Post, rate money.Rate) (catalog.Params, error) {
	taka, err := money.Convert(post.Price, rate.FloorTaka())
	return catalog.Params{"amount": post.Price.String(), "taka": taka.String()}, err
}

// titleOfInvite is the length of a deal's title beside its link.
const titleOfInvite = 60

// inviteTitle returns the first line of the description, shortened.
func inviteTitle(i deals.Invite) string {
	line, _, _ := strings.Cut(strings.TrimSpace(i.Description), "\n")
	return catalog.Shorten(strings.TrimSpace(line), titleOfInvite)
}

// describeInvite describes a link to a deal that somebody can still join. It says of the maker no
// more than the username, and nothing of the guest.
func (s *Server) describeInvite(ctx context.Context, code, language string) (pageHead, error) {
	i, err := s.deals.FindInvite(ctx, nil, code)
	if err != nil {
		return pageHead{}, err
	}
	kind := catalog.ShareInviteSells
	if i.MakerBuys {
		kind = catalog.ShareInviteBuys
	}
	params := catalog.Params{"username": i.Maker.Username, "amount": i.Price.String()}
	return pageHead{Title: inviteTitle(i), Description: catalog.Render(language, kind, params), Unlisted: true}, nil
}

// unlisted describes every page of a kind in the same words, and search engines leave it out: other
// sites keep what they have read, so a sum or a status in it would soon be untrue.
func unlisted(title, note catalog.Kind) func(ctx context.Context, id, language string) (pageHead, error) {
	return func(_ context.Context, _, language string) (pageHead, error) {
		return pageHead{
			Title: catalog.Render(language, title, nil), Description: catalog.Render(language, note, nil), Unlisted: true,
		}, nil
	}
}

const (
	siteCard = "share.jpg" // in ui/public: the picture of pages without one, of the same size as others
	cardType = "image/jpeg"
)

// pageHead is what search engines, social networks and messengers read about a page. They run no
// scripts.
type pageHead struct {
	Title       string
	Description string
	Path        string // of the page
	Picture     string // path of one of our images; "": the site's own
	Price       string // of a post, in dollars; "" for other pages
	Language    string
	Unlisted    bool // search engines are to leave the page out
}

var headTemplate = template.Must(template.New("head").Parse(`<title>{{.Title}}</title>
    <meta name="description" content="{{.Description}}" />
{{- if .Unlisted}}
    <meta name="robots" content="noindex" />
{{- else}}
    <link rel="canonical" href="{{.URL}}" />
{{- end}}
    <meta property="og:site_name" content="{{.Brand}}" />
    <meta property="og:type" content="{{if .Price}}product{{else}}website{{end}}" />
    <meta property="og:title" content="{{.Title}}" />
    <meta property="og:description" content="{{.Description}}" />
    <meta property="og:url" content="{{.URL}}" />
    <meta property="og:locale" content="{{.Locale}}" />
    <meta property="og:image" content="{{.Image}}" />
    <meta property="og:image:type" content="{{.ImageType}}" />
    <meta property="og:image:width" content="{{.Width}}" />
    <meta property="og:image:height" content="{{.Height}}" />
    <meta property="og:image:alt" content="{{.Alt}}" />
{{- if .Price}}
    <meta property="product:price:amount" content="{{.Price}}" />
    <meta property="product:price:currency" content="USD" />
{{- end}}
    <meta name="twitter:card" content="summary_large_image" />`))

// render returns the elements of the head, for pages at an origin.
func (h pageHead) render(origin string) ([]byte, error) {
	locale := "en_US"
	if h.Language == catalog.Bangla {
		locale = "bn_BD"
	}
	picture, alt := "/"+siteCard, catalog.Render(h.Language, catalog.SharePromise, nil)
	if h.Picture != "" {
		picture, alt = h.Picture+"/card", h.Title
	}
	var elements bytes.Buffer
	err := headTemplate.Execute(&elements, struct {
		pageHead
		Brand, URL, Locale, Image, Alt, ImageType string
		Width, Height                             int
	}{
		pageHead: h, Brand: catalog.Render(h.Language, catalog.ShareBrand, nil), URL: origin + h.Path, Locale: locale,
		Image: origin + picture, Alt: alt, ImageType: cardType, Width: images.CardWidth, Height: images.CardHeight,
	})
	return elements.Bytes(), err
}

// The elements of a built document that a head replaces.
var (
	titleElement       = regexp.MustCompile(`<title>([^<]*)</title>`)
	descriptionElement = regexp.MustCompile(`\s*<meta name="description" content="([^"]*)"\s*/?>`)
	htmlElement        = regexp.MustCompile(`<html lang="[^"]*">`)
)

// spaDocument is a document of the built UI whose head can be replaced.
type spaDocument struct {
	lang, head, rest   []byte // before the language, before the title, and after it
	title, description string
}

// parseDocument returns nil for a document without a title or a description.
func parseDocument(content []byte) *spaDocument {
	lang, title := htmlElement.FindIndex(content), titleElement.FindSubmatchIndex(content)
	description := descriptionElement.FindSubmatch(content)
	if lang == nil || title == nil || description == nil {
		return nil
	}
	return &spaDocument{
		lang: content[:lang[0]], head: content[lang[1]:title[0]],
		rest:  bytes.Replace(content[title[1]:], description[0], nil, 1),
		title: html.UnescapeString(string(content[title[2]:title[3]])), description: html.UnescapeString(string(description[1])),
	}
}

// with returns the document with a head.
func (d *spaDocument) with(head pageHead, origin string) ([]byte, error) {
	elements, err := head.render(origin)
	if err != nil {
		return nil, fmt.Errorf("head: %w", err)
	}
	lang := []byte(`<html lang="` + head.Language + `">`)
	return bytes.Join([][]byte{d.lang, lang, d.head, elements, d.rest}, nil), nil
}

// Levels of compression: of pages that are compressed once, and of pages that are made for a call.
const (
	brotliOnce, gzipOnce = brotli.BestCompression, gzip.BestCompression
	brotliCall, gzipCall = 4, gzip.DefaultCompression
)

const minBrotliWindow = 10 // as a power of two; RFC 7932, section 9.1

// htmlFile compresses a document with the levels of brotli and gzip.
func htmlFile(content []byte, brotliLevel, gzipLevel int) (spaFile, error) {
	file := spaFile{contentType: "text/html; charset=utf-8", cache: cacheAsk}
	br, err := compressed(content, func(w io.Writer) (io.WriteCloser, error) {
		// A window larger than the document takes time to set up and gains nothing.
		window := max(minBrotliWindow, bits.Len(uint(len(content))))
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: brotliLevel, LGWin: window}), nil
	})
	if err != nil {
		return spaFile{}, err
	}
	gz, err := compressed(content, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzipLevel) })
	if err != nil {
		return spaFile{}, err
	}
	for _, variant := range []spaVariant{{encoding: "br", content: br}, {encoding: "gzip", content: gz}, {content: content}} {
		sum := sha256.Sum256(variant.content)
		variant.etag = `"` + hex.EncodeToString(sum[:16]) + `"`
		file.variants = append(file.variants, variant)
	}
	return file, nil
}

func compressed(content []byte, open func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	var packed bytes.Buffer
	w, err := open(&packed)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return packed.Bytes(), nil
}

// pathOf returns the address of a prerendered page, and its language.
func pathOf(name string) (path, language string) {
	language, page, _ := strings.Cut(strings.TrimSuffix(name, ".html"), "/")
	return "/" + strings.TrimPrefix(page, "index"), language
}
