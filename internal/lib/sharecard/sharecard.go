// Package sharecard draws the pictures that social networks and messengers show beside a link
// (og:image).
package sharecard

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"

	"golang.org/x/image/draw"
	"golang.org/x/image/vector"

	"amanat/internal/lib/typeset"
)

// Size of a card in pixels: what Facebook and WhatsApp ask for a large preview.
const (
	Width  = 1200
	Height = 630
)

// ContentType is the type of the files that Draw returns.
const ContentType = "image/jpeg"

const jpegQuality = 85

// Measures of the layout.
const (
	spine        = 18 // the binding at the left edge, as on every page
	margin       = 72
	pictureWidth = 520
	maxTitle     = 4 // lines
	maxNote      = 2
)

// Colors of the light theme (ui/src/styles/theme.css).
var (
	paper = color.RGBA{0xff, 0xff, 0xff, 0xff}
	ink   = color.RGBA{0x13, 0x1c, 0x37, 0xff}
	faint = color.RGBA{0x49, 0x53, 0x69, 0xff}
	seal  = color.RGBA{0xa8, 0x15, 0x23, 0xff}
)

// Card is what a picture shows. Only Title is required.
type Card struct {
	Brand   string // the product's name in the reader's language
	Title   string
	Figure  string      // in large type, such as a price
	Note    string      // under the figure, or under the title
	Picture image.Image // at the right, cropped to fit
}

// Drawer draws cards. It is safe for concurrent use.
type Drawer struct{ types *typeset.Typesetter }

// New returns a Drawer.
func New() (*Drawer, error) {
	types, err := typeset.New()
	return &Drawer{types}, err
}

// Draw returns the card as a JPEG of Width by Height pixels.
func (d *Drawer) Draw(card Card) ([]byte, error) {
	page := image.NewRGBA(image.Rect(0, 0, Width, Height))
	draw.Draw(page, page.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	drawSpine(page)
	right := Width - margin
	if card.Picture != nil {
		drawPicture(page, card.Picture)
		right = Width - pictureWidth - margin*2/3
	}
	left := spine + margin
	drawMark(page, image.Pt(left, margin-8), 52)
	serif := func(text string, size float64, maxLines int) []typeset.Line {
		return d.types.Lines(text, typeset.Style{Typeface: typeset.Serif, Size: size}, right-left, maxLines)
	}
	drawLines(page, serif(card.Brand, 44, 1), image.Pt(left+72, margin+32), 0, ink)
	title, leading := serif(card.Title, 60, maxTitle), 72
	if len(title) == maxTitle {
		title, leading = serif(card.Title, 48, maxTitle), 58
	}
	drawLines(page, title, image.Pt(left, 210), leading, ink)
	note := d.types.Lines(card.Note, typeset.Style{Typeface: typeset.Sans, Size: 30}, right-left, maxNote)
	bottom := Height - margin - max(0, len(note)-1)*40
	drawLines(page, note, image.Pt(left, bottom), 40, faint)
	drawLines(page, serif(card.Figure, 84, 1), image.Pt(left, bottom-56), 0, ink)
	var file bytes.Buffer
	if err := jpeg.Encode(&file, page, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return nil, fmt.Errorf("encode card: %w", err)
	}
	return file.Bytes(), nil
}

func drawLines(page draw.Image, lines []typeset.Line, at image.Point, leading int, ink color.Color) {
	for _, line := range lines {
		line.Draw(page, at, ink)
		at.Y += leading
	}
}

func fill(page draw.Image, area image.Rectangle, ink color.Color) {
	draw.Draw(page, area, image.NewUniform(ink), image.Point{}, draw.Src)
}

// drawSpine draws the stitched binding.
func drawSpine(page draw.Image) {
	fill(page, image.Rect(0, 0, spine, Height), seal)
	for y := 0; y < Height; y += 22 {
		fill(page, image.Rect(8, y, 11, y+13), paper)
	}
}

// drawPicture fills the right side with the middle of a picture.
func drawPicture(page draw.Image, picture image.Image) {
	target := image.Rect(Width-pictureWidth, 0, Width, Height)
	source := picture.Bounds()
	if source.Dx()*Height > source.Dy()*pictureWidth { // too wide
		width := max(1, source.Dy()*pictureWidth/Height)
		source.Min.X += (source.Dx() - width) / 2
		source.Max.X = source.Min.X + width
	} else {
		height := max(1, source.Dx()*Height/pictureWidth)
		source.Min.Y += (source.Dy() - height) / 2
		source.Max.Y = source.Min.Y + height
	}
	draw.CatmullRom.Scale(page, target, picture, source, draw.Over, nil)
}

// drawMark draws the product's mark (ui/public/mark.svg), whose view box has 32 units.
func drawMark(page draw.Image, at image.Point, size int) {
	unit := float32(size) / 32
	path := func(ink color.Color, trace func(r *vector.Rasterizer, x, y func(float32) float32)) {
		area := image.Rectangle{at, at.Add(image.Pt(size, size))}
		raster := vector.NewRasterizer(size, size)
		scale := func(v float32) float32 { return v * unit }
		trace(raster, scale, scale)
		raster.Draw(page, area, image.NewUniform(ink), image.Point{})
	}
	type axis = func(float32) float32
	box := func(x0, y0, x1, y1 float32) func(*vector.Rasterizer, axis, axis) {
		return func(r *vector.Rasterizer, x, y axis) {
			r.MoveTo(x(x0), y(y0))
			r.LineTo(x(x1), y(y0))
			r.LineTo(x(x1), y(y1))
			r.LineTo(x(x0), y(y1))
			r.ClosePath()
		}
	}
	path(seal, func(r *vector.Rasterizer, x, y axis) {
		r.MoveTo(x(1), y(1))
		r.LineTo(x(27), y(1))
		r.QuadTo(x(31), y(1), x(31), y(5))
		r.LineTo(x(31), y(27))
		r.QuadTo(x(31), y(31), x(27), y(31))
		r.LineTo(x(1), y(31))
		r.ClosePath()
	})
	path(paper, box(7.5, 1, 9.3, 31))
	for y := float32(2); y < 31; y += 6.5 {
		path(paper, box(22.7, y, 24.5, min(31, y+4)))
	}
	path(paper, func(r *vector.Rasterizer, x, y axis) {
		const radius, bend = 4.8, 4.8 * 0.5523 // of a circle by four cubic curves
		r.MoveTo(x(16+radius), y(16))
		r.CubeTo(x(16+radius), y(16+bend), x(16+bend), y(16+radius), x(16), y(16+radius))
		r.CubeTo(x(16-bend), y(16+radius), x(16-radius), y(16+bend), x(16-radius), y(16))
		r.CubeTo(x(16-radius), y(16-bend), x(16-bend), y(16-radius), x(16), y(16-radius))
		r.CubeTo(x(16+bend), y(16-radius), x(16+radius), y(16-bend), x(16+radius), y(16))
		r.ClosePath()
	})
}
