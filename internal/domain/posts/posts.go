// Package posts manages the posts of sellers, their public listing and its search.
package posts

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"golang.org/x/text/unicode/norm"

	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/queue/jobs"
)

// Category is the category of a post, one of Categories.
type Category string

// Categories (docs/rules.md#categories).
const (
	FreelanceService Category = "Freelance Service"
	PhysicalProduct  Category = "Physical Product"
	OnlineAsset      Category = "Online Asset"
)

// Categories returns all categories.
func Categories() []Category { return []Category{FreelanceService, PhysicalProduct, OnlineAsset} }

// Post is a service post.
type Post struct {
	ID          uuid.UUID
	CreatedBy   user.Ref
	Title       string
	Description string
	Price       money.Cents
	Category    Category
	Subcategory string
	Pictures    []uuid.UUID // at most maxPictures; in a list, only the first
	Tags        []string
	Facts       Facts
	CreatedAt   time.Time
	UpdatedAt   time.Time
	HiddenBy    *uuid.UUID // the decision that hides it from everyone but its seller and admins; nil if none does
	Record      *Record    // of the seller; nil unless it is read for the public listing
	// What others did with it; 0 unless its seller reads it.
	Seen  int `db:"-"` // readers and days on which each saw it
	Saves int `db:"-"` // users who have saved it
	Asked int `db:"-"` // users whose conversation with the seller is about it
}

// Record is what the public listing shows of a seller.
type Record struct {
	AverageRating *float64 // of the latest recordMost reviews that count, to one decimal; nil without any
	Ratings       int      // at most recordMost
	Deals         int      // that count as completed, as buyer and seller; at most recordMost
}

// recordMost bounds what is counted for a record.
const recordMost = 1000

// Images returns the URLs of the post's pictures.
func (p Post) Images() []string {
	urls := make([]string, len(p.Pictures))
	for i, id := range p.Pictures {
		urls[i] = images.URL(id)
	}
	return urls
}

// Image returns the URL of the post's first picture, "" if it has none.
func (p Post) Image() string {
	if len(p.Pictures) == 0 {
		return ""
	}
	return images.URL(p.Pictures[0])
}

// Service implements the use cases of posts. It is safe for concurrent use.
type Service struct {
	DB     postgres.DB
	Clock  clock.Clock
	Images *images.Service
	Jobs   jobs.Enqueuer
	Redis  *redis.Client // for views; nil: none are counted
}

// Reader is who reads a post. The zero value is a visitor.
type Reader struct {
	UserID *uuid.UUID // nil: a visitor
	Admin  bool
}

// sees reports whether the reader may read the post.
func (r Reader) sees(p Post) bool {
	return p.HiddenBy == nil || r.Admin || r.UserID != nil && *r.UserID == p.CreatedBy.ID
}

// Get returns a post. Any visitor may call it. Code NotFound, also while the seller is disabled,
// and for a hidden post unless the reader is its seller or an admin.
func (s *Service) Get(ctx context.Context, reader Reader, id uuid.UUID) (Post, error) {
	post, err := getPost(ctx, s.DB, id)
	if err == nil && !reader.sees(post) {
		return Post{}, errNotFound()
	}
	if err == nil && reader.UserID != nil && *reader.UserID == post.CreatedBy.ID {
		own := []Post{post}
		err = s.addInterest(ctx, post.CreatedBy.ID, own)
		post = own[0]
	}
	return post, err
}

// ListByUser returns a page of a user's posts without the hidden ones, newest first, with shortened
// descriptions, and their total number. Any visitor may call it.
func (s *Service) ListByUser(ctx context.Context, userID uuid.UUID, page postgres.Page) ([]Post, int, error) {
	return listByUser(ctx, s.DB, userID, page, shownPosts)
}

// ListOwn is ListByUser for the user, with the hidden posts.
func (s *Service) ListOwn(ctx context.Context, userID uuid.UUID, page postgres.Page) ([]Post, int, error) {
	list, total, err := listByUser(ctx, s.DB, userID, page, allPosts)
	if err == nil {
		err = s.addInterest(ctx, userID, list)
	}
	return list, total, err
}

// Hide hides a post for a decision, unless it was deleted or another decision hides it. It is
// called in the transaction of the decision.
func (s *Service) Hide(ctx context.Context, tx *postgres.Tx, id, decision uuid.UUID) error {
	if err := hidePost.Run(ctx, tx, postgres.Args{"id": id, "decision": decision}); err != nil {
		return err
	}
	return s.tellSavers(ctx, tx, id)
}

// Unhide shows the post that a decision hides, if there is one. It is called in the transaction
// that overturns the decision.
func (s *Service) Unhide(ctx context.Context, tx *postgres.Tx, decision uuid.UUID) error {
	return unhidePost.Run(ctx, tx, postgres.Args{"decision": decision})
}

func errNotFound() error { return fault.New(fault.NotFound, "post_not_found", "Post not found") }

func errForbidden() error {
	return fault.New(fault.Forbidden, "own_posts_only", "You may change your own posts only.")
}

// Bounds (docs/rules.md#posts).
const (
	maxTitle       = 80
	maxDescription = 5000
	maxSubcategory = 40
	maxTags        = 10
	maxTag         = 30
	maxPictures    = 8
)

// other is the placeholder for a subcategory entered by the seller, not a subcategory itself.
const other = "Other"

// Draft is the content of a post as entered by the seller. Zero values mean fields not given.
type Draft struct {
	Title       string
	Description string
	Price       money.Cents
	PriceFault  error // why the price could not be parsed; validate returns it in order
	Category    Category
	Subcategory string // from the list (docs/rules.md#categories), or the seller's own
	Tags        []string
	// Image is a data URL, the only picture then, or "" for none. In an edit, nil or the current
	// URL keeps the pictures.
	Image *string
	// Images are the URLs of the pictures, of AddPicture or of the post. Nil: Image counts.
	Images []string
	Facts  Facts // in an edit, nil keeps those of the post
}

// normalized cleans the texts and drops empty tags and duplicates, ignoring case.
func (d Draft) normalized() Draft {
	d.Title, d.Description = sanitize.Text(d.Title), sanitize.Text(d.Description)
	d.Subcategory = sanitize.Text(d.Subcategory)
	tags := []string{}
	for _, tag := range d.Tags {
		tag = sanitize.Text(tag)
		known := func(other string) bool { return strings.EqualFold(tag, other) }
		if tag != "" && !slices.ContainsFunc(tags, known) {
			tags = append(tags, tag)
		}
	}
	d.Tags = tags
	return d
}

// validate checks the rules of docs/rules.md#posts in order on a normalized draft.
func (d Draft) validate() error {
	switch {
	case d.Title == "":
		return fault.Field("title", "title_missing", "Title is required.")
	case utf8.RuneCountInString(d.Title) > maxTitle:
		return fault.Field("title", "title_too_long", "The title must be at most 80 characters.")
	case d.Description == "":
		return fault.Field("description", "description_missing", "Description is required.")
	case d.PriceFault != nil:
		return d.PriceFault
	case d.Price == 0:
		return fault.Field("price", "price_missing", "Price is required.")
	case d.Price < money.MinPrice || d.Price > money.MaxPrice:
		return fault.Field("price", "price_out_of_range", "The price must be between $0.01 and $1,000,000.00.")
	case d.Category == "":
		return fault.Field("category", "category_missing", "Category is required.")
	case !slices.Contains(Categories(), d.Category):
		return fault.Field("category", "category_unknown", "Choose Freelance Service, Physical Product or Online Asset.")
	case d.Subcategory == "":
		return fault.Field("subcategory", "subcategory_missing", "Subcategory is required.")
	case strings.EqualFold(d.Subcategory, other):
		return fault.Field("subcategory", "own_subcategory_missing", "Please enter your own subcategory.")
	case utf8.RuneCountInString(d.Subcategory) > maxSubcategory:
		return fault.Field("subcategory", "subcategory_too_long", "The subcategory must be at most 40 characters.")
	case utf8.RuneCountInString(d.Description) > maxDescription:
		return fault.Field("description", "description_over_limit", "The description must be at most 5,000 characters.")
	case len(d.Tags) > maxTags:
		return fault.Field("tags", "too_many_tags", "A post may have at most ten tags.")
	}
	for _, tag := range d.Tags {
		if utf8.RuneCountInString(tag) > maxTag {
			return fault.Field("tags", "tag_too_long", "A tag must be at most 30 characters.")
		}
	}
	if err := d.Facts.validate(); err != nil {
		return err
	}
	_, err := d.pictures()
	return err
}

// pictures returns the ids of Images. Code Invalid.
func (d Draft) pictures() ([]uuid.UUID, error) {
	if len(d.Images) > maxPictures {
		return nil, fault.Field("images", "too_many_pictures", "A post can have at most 8 pictures.")
	}
	ids := make([]uuid.UUID, 0, len(d.Images))
	for _, url := range d.Images {
		id, ours := images.ID(url)
		if !ours || slices.Contains(ids, id) {
			return nil, errPictures()
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func errPictures() error {
	return fault.Field("images", "pictures_unknown", "One of the pictures is not there any more. Please add it again.")
}

// A search finds the posts whose document contains every word of the query: anywhere inside a word
// or, for words of one or two letters, at the start of a word. Documents and queries are normalized
// in the same way, so that case, different encodings of the same letter (common in Bangla), the
// script of digits, the kind of quotes and hyphens, joiners and whitespace make no difference.
// Everything else in a query is literal: symbols are matched like letters.

// document returns the text that searches match: all words of a post and the name of its seller,
// each after a space.
func document(d Draft, username string) string {
	kind := []string{string(d.Category), bangla[string(d.Category)], d.Subcategory, bangla[d.Subcategory]}
	facts := d.Facts.of(d.Category, d.Subcategory).words()
	parts := slices.Concat([]string{d.Title}, kind, []string{username}, d.Tags, facts, []string{d.Description})
	return " " + strings.Join(tokenize(strings.Join(parts, " ")), " ")
}

// bangla are the names of categories and subcategories in the Bangla UI, which readers of such a
// page search for.
var bangla = map[string]string{
	"Freelance Service": "ফ্রিল্যান্স সেবা",
	"Physical Product":  "পণ্য",
	"Online Asset":      "অনলাইন সম্পদ",
	"Logo Design":       "লোগো ডিজাইন",
	"Web Development":   "ওয়েব ডেভেলপমেন্ট",
	"Writing":           "লেখালেখি",
	"Marketing":         "মার্কেটিং",
	"Mobile Phone":      "মোবাইল ফোন",
	"Laptop":            "ল্যাপটপ",
	"Hand Watch":        "হাতঘড়ি",
	"Election Gadget":   "ইলেকট্রনিক গ্যাজেট",
	"T-Shirts":          "টি-শার্ট",
	"Books":             "বই",
	"Electronic Part":   "ইলেকট্রনিক যন্ত্রাংশ",
	"Home Decor":        "ঘর সাজানোর জিনিস",
	"YouTube Channel":   "ইউটিউব চ্যানেল",
	"Instagram Page":    "ইনস্টাগ্রাম পেজ",
	"Website":           "ওয়েবসাইট",
	"Ebook":             "ই-বুক",
	"Facebook Page":     "ফেসবুক পেজ",
	"Domain Name":       "ডোমেইন নাম",
	"Game Id":           "গেম আইডি",
}

// plain maps what phones and word processors put in the place of plain quotes and hyphens.
var plain = map[rune]rune{
	'\u2018': '\'', '\u2019': '\'', '\u201a': '\'', '\u201b': '\'', '\u02bc': '\'', '\u2032': '\'', '`': '\'', '\u00b4': '\'',
	'\u201c': '"', '\u201d': '"', '\u201e': '"', '\u201f': '"', '\u2033': '"', '\u00ab': '"', '\u00bb': '"',
	'\u2010': '-', '\u2011': '-', '\u2012': '-', '\u2013': '-', '\u2014': '-', '\u2015': '-', '\u2212': '-',
}

// fold returns the form of a character that searches compare, or -1 for one that nobody sees:
// joiners and other format characters, and selectors of emoji.
func fold(r rune) rune {
	const banglaZero, banglaNine = '০', '৯'
	if same, found := plain[r]; found {
		return same
	}
	switch {
	case banglaZero <= r && r <= banglaNine:
		return '0' + r - banglaZero
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector):
		return -1
	}
	return r
}

// tokenize returns the normalized words of a text. Each symbol is a word of its own. Invalid UTF-8
// is replaced first: norm would leave the letter after an invalid byte unnormalized.
func tokenize(text string) []string {
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	// Compatible forms of spacing accents are a space and a mark, so quotes are folded first, too.
	text = strings.Map(fold, strings.ToValidUTF8(text, "\ufffd"))
	for _, r := range strings.Map(fold, strings.ToLower(norm.NFKC.String(text))) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			word.WriteRune(r)
		case unicode.IsSpace(r), unicode.IsControl(r):
			end()
		default:
			end()
			words = append(words, encodeSymbol(r))
		}
	}
	end()
	return words
}

// encodeSymbol encodes a symbol as two ideographs that hardly any text uses: the trigram index
// covers letters only, and LIKE's wildcards are symbols.
func encodeSymbol(r rune) string {
	const first, count = 0x20000, 1 << 12
	return string([]rune{first + r/count, first + r%count})
}

// trigram is the minimum number of letters that a trigram index finds inside a word.
const trigram = 3

// searchTerms returns the terms that a document must contain to match a query, most selective
// first.
func searchTerms(query string) []string {
	words := tokenize(query)
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(utf8.RuneCountInString(b)-utf8.RuneCountInString(a), strings.Compare(a, b))
	})
	words = slices.Compact(words)
	for i, word := range words {
		if utf8.RuneCountInString(word) < trigram {
			words[i] = " " + word
		}
	}
	return words
}

// Words of fewer letters have too few trigrams left after a typo. post_words has what these and one
// letter more or fewer need.
const minTypo, maxTypo = 5, 20

func isLong(word string) bool {
	n := utf8.RuneCountInString(word)
	return minTypo <= n && n <= maxTypo
}

// typos returns LIKE patterns of words that begin with the given one after at most one typo: a
// letter too many, missing, wrong, or swapped with the next.
func typos(word string) []string {
	letters := []rune(word)
	var patterns []string
	add := func(parts ...[]rune) { patterns = append(patterns, string(slices.Concat(parts...))+"%") }
	one := []rune{'_'}
	for i := range letters {
		before, after := letters[:i], letters[i+1:]
		add(before, after)
		add(before, one, after)
		add(before, one, letters[i:])
		if len(after) > 0 {
			add(before, after[:1], letters[i:i+1], after[1:])
		}
	}
	return patterns
}

// Create publishes a post of the actor, who may have up to most posts; 0 means no limit. Codes:
// Invalid with the first rule that fails; those of images.Service.Read; Conflict if the limit is
// reached; IdempotencyMismatch. A replay returns the post created under the key, NotFound once it
// is deleted.
func (s *Service) Create(ctx context.Context, actor user.Ref, draft Draft, most int, key *idempotency.Key) (Post, error) {
	draft = draft.normalized()
	if err := draft.validate(); err != nil {
		return Post{}, err
	}
	// The picture of a repeated request is not decoded and counted again.
	if made, used, err := idempotency.Lookup(ctx, s.DB, key); err != nil || used {
		if err != nil {
			return Post{}, err
		}
		return getPost(ctx, s.DB, made)
	}
	picture, err := s.readImage(ctx, actor.ID, draft)
	if err != nil {
		return Post{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Post{}, err
	}
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		if err := checkPostLimit(ctx, tx, actor.ID, most); err != nil {
			return err
		}
		shown, err := s.showPictures(ctx, tx, actor.ID, nil, draft, picture)
		if err != nil {
			return err
		}
		inserted, err := insertPost(ctx, tx, edition{id: id, seller: actor, draft: draft, pictures: shown, at: s.Clock.Now()}, rand.Int32())
		if err == nil && !inserted {
			err = fault.New(fault.Unauthenticated, "login_needed", "Please log in to continue.")
		}
		if err == nil {
			err = insertNew.Run(ctx, tx, postgres.Args{"id": id})
		}
		return err
	})
	if err != nil {
		return Post{}, err
	}
	return getPost(ctx, s.DB, made)
}

// checkPostLimit returns Conflict if the seller already has most posts. Concurrent calls for the
// same seller wait until the transaction ends.
func checkPostLimit(ctx context.Context, tx *postgres.Tx, seller uuid.UUID, most int) error {
	if most == 0 {
		return nil
	}
	if err := lockUser.Run(ctx, tx, postgres.Args{"id": seller}); err != nil {
		return err
	}
	has, err := countByUser(ctx, tx, seller, allPosts)
	if err == nil && has >= most {
		err = fault.Newf(fault.Conflict, "too_many_posts", "You may have up to {count} posts for now. Please delete one first.",
			fault.Params{"count": most})
	}
	return err
}

// Own returns a post to its seller for editing. Codes: NotFound; Forbidden for other users.
func (s *Service) Own(ctx context.Context, actor, id uuid.UUID) (Post, error) {
	post, err := getPost(ctx, s.DB, id)
	switch {
	case err != nil:
		return Post{}, err
	case !(Reader{UserID: &actor}).sees(post):
		return Post{}, errNotFound()
	case post.CreatedBy.ID != actor:
		return Post{}, errForbidden()
	}
	return post, nil
}

// Edit replaces the content of the actor's post. Codes as for Own, and Invalid and image codes as
// for Create.
func (s *Service) Edit(ctx context.Context, actor, id uuid.UUID, draft Draft) (Post, error) {
	post, err := s.Own(ctx, actor, id)
	if err != nil {
		return Post{}, err
	}
	draft = draft.normalized()
	if err := draft.validate(); err != nil {
		return Post{}, err
	}
	if draft.Image != nil && *draft.Image == post.Image() {
		draft.Image = nil
	}
	picture, err := s.readImage(ctx, actor, draft)
	if err != nil {
		return Post{}, err
	}
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		before, err := lockPost(ctx, tx, id) // may have been changed or deleted meanwhile
		if err != nil {
			return err
		}
		if draft.Facts == nil {
			draft.Facts = before.Facts
		}
		shown, err := s.showPictures(ctx, tx, actor, before.Pictures, draft, picture)
		if err != nil {
			return err
		}
		err = updatePost(ctx, tx, edition{id: id, seller: post.CreatedBy, draft: draft, pictures: shown, at: s.Clock.Now()})
		if err == nil && draft.Price < before.Price {
			err = s.tellSavers(ctx, tx, id)
		}
		return err
	})
	if err != nil {
		return Post{}, err
	}
	return getPost(ctx, s.DB, id)
}

// Delete removes the actor's post. Codes as for Own.
func (s *Service) Delete(ctx context.Context, actor, id uuid.UUID) error {
	if _, err := s.Own(ctx, actor, id); err != nil {
		return err
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		post, err := lockPost(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := deletePost.Run(ctx, tx, postgres.Args{"id": id}); err != nil {
			return err
		}
		if err := s.tellSavers(ctx, tx, id); err != nil {
			return err
		}
		return s.releasePictures(ctx, tx, post.Pictures)
	})
}

// AddPicture stores a picture that the user is about to show in a post and returns its URL. It
// waits a day for that. Codes: those of images.Service.Read; IdempotencyMismatch. A replay returns
// the picture that the key created.
func (s *Service) AddPicture(ctx context.Context, userID uuid.UUID, dataURL string, key *idempotency.Key) (string, error) {
	if made, used, err := idempotency.Lookup(ctx, s.DB, key); err != nil || used {
		return images.URL(made), err
	}
	picture, err := s.Images.Read(ctx, userID, dataURL)
	if err != nil {
		return "", fault.In("image", err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return "", err
	}
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		return s.Images.SaveWaiting(ctx, tx, id, picture, userID)
	})
	return images.URL(made), err
}

// readImage decodes the image of a draft, nil if it has none.
func (s *Service) readImage(ctx context.Context, actor uuid.UUID, draft Draft) (*images.Picture, error) {
	if draft.Images != nil || draft.Image == nil || *draft.Image == "" {
		return nil, nil
	}
	picture, err := s.Images.Read(ctx, actor, *draft.Image)
	return picture, fault.In("image", err)
}

// showPictures returns the pictures of a post after a draft; picture is that of its Image. Those
// that the post does not show any more are released. Code Invalid if one of the draft is not there.
func (s *Service) showPictures(
	ctx context.Context, tx *postgres.Tx, seller uuid.UUID, before []uuid.UUID, draft Draft, picture *images.Picture,
) (after []uuid.UUID, err error) {
	switch {
	case draft.Images != nil:
		if after, err = draft.pictures(); err != nil {
			return nil, err
		}
		added := without(after, before)
		there, err := s.Images.Claim(ctx, tx, added, seller)
		if err == nil && !there {
			err = errPictures()
		}
		if err != nil {
			return nil, err
		}
	case draft.Image == nil:
		return before, nil
	case picture != nil:
		id, err := s.Images.Save(ctx, tx, picture, seller, nil)
		if err != nil {
			return nil, err
		}
		after = []uuid.UUID{id}
	}
	return after, s.releasePictures(ctx, tx, without(before, after))
}

func (s *Service) releasePictures(ctx context.Context, tx *postgres.Tx, ids []uuid.UUID) error {
	for _, id := range ids {
		if err := s.Images.Release(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// without returns the ids that are not among the others.
func without(ids, others []uuid.UUID) []uuid.UUID {
	return slices.DeleteFunc(slices.Clone(ids), func(id uuid.UUID) bool { return slices.Contains(others, id) })
}
