package posts

import (
	"slices"
	"strings"
	"unicode/utf8"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money"
)

// Bounds (docs/rules.md#posts).
const (
	maxTitle       = 80
	maxDescription = 5000
	maxSubcategory = 40
	maxTags        = 10
	maxTag         = 30
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
	// Image is a data URL, "" for none. In an edit, nil or the current URL keeps the image.
	Image *string
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
	return nil
}
