// Package typeset sets text in the product's typefaces, for images and documents. It shapes Latin
// and Bengali script with HarfBuzz, since the letters of Bengali change and move with their
// neighbours.
package typeset

import (
	"bytes"
	"embed"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// files are the typefaces of the UI, under the SIL Open Font License (fonts/OFL.txt).
//
//go:embed fonts/*.woff
var files embed.FS

// Typeface is a typeface of the product.
type Typeface int

// Typefaces.
const (
	Serif Typeface = iota // of titles and sums
	Sans
	SansBold
)

// fontNames are the files of a typeface: for Latin letters, then for Bengali ones.
var fontNames = map[Typeface][2]string{
	Serif:    {"besley-latin-600-normal", "noto-serif-bengali-bengali-600-normal"},
	Sans:     {"hanken-grotesk-latin-400-normal", "noto-sans-bengali-bengali-400-normal"},
	SansBold: {"hanken-grotesk-latin-600-normal", "noto-sans-bengali-bengali-600-normal"},
}

// Typesetter shapes text. It is safe for concurrent use.
type Typesetter struct{ fonts map[Typeface][]*font.Font }

// New returns the typesetter of this process, which reads the typefaces on the first call.
func New() (*Typesetter, error) { return shared() }

var shared = sync.OnceValues(readTypefaces)

func readTypefaces() (*Typesetter, error) {
	t := &Typesetter{fonts: map[Typeface][]*font.Font{}}
	for typeface, names := range fontNames {
		for _, name := range names {
			content, err := files.ReadFile("fonts/" + name + ".woff")
			if err != nil {
				return nil, err
			}
			face, err := font.ParseTTF(bytes.NewReader(content))
			if err != nil {
				return nil, fmt.Errorf("font %s: %w", name, err)
			}
			t.fonts[typeface] = append(t.fonts[typeface], face.Font)
		}
	}
	return t, nil
}

// Style is how text is set.
type Style struct {
	Typeface Typeface
	Size     float64 // pixels per em
}

// faces are the faces of a style. They choose the first one that has a character.
type faces []*font.Face

func (f faces) ResolveFace(r rune) *font.Face {
	for _, face := range f {
		if _, found := face.NominalGlyph(r); found {
			return face
		}
	}
	return f[0]
}

func (f faces) knows(r rune) bool {
	_, found := f.ResolveFace(r).NominalGlyph(r)
	return found
}

// faces returns new faces of a typeface, since a face is not safe for concurrent use.
func (t *Typesetter) faces(typeface Typeface) faces {
	made := make(faces, 0, len(t.fonts[typeface]))
	for _, f := range t.fonts[typeface] {
		made = append(made, font.NewFace(f))
	}
	return made
}

// Line is a line of shaped text.
type Line struct {
	text  []rune // of all lines of the paragraph
	runs  []shaping.Output
	width fixed.Int26_6
	cut   bool // the last run is the ellipsis
}

// Width returns the width of the line in pixels.
func (l Line) Width() float64 { return float64(l.width) / 64 }

// Lines shapes a text and breaks it into lines of at most width pixels. Text beyond maxLines lines
// is cut off with an ellipsis. Characters that no typeface has, such as emoji, are left out.
func (t *Typesetter) Lines(text string, style Style, width, maxLines int) []Line {
	faces := t.faces(style.Typeface)
	runes := readable(text, faces)
	if len(runes) == 0 {
		return nil
	}
	input := func(text []rune) shaping.Input {
		return shaping.Input{
			Text: text, RunEnd: len(text), Direction: di.DirectionLTR, Face: faces[0],
			Size: fixed.Int26_6(style.Size * 64), Script: language.Latin, Language: language.NewLanguage("en"),
		}
	}
	var shaper shaping.HarfbuzzShaper
	var segmenter shaping.Segmenter
	runs := segmenter.Split(input(runes), faces)
	shaped := make([]shaping.Output, 0, len(runs))
	for _, run := range runs {
		shaped = append(shaped, shaper.Shape(run))
	}
	config := shaping.WrapConfig{TruncateAfterLines: maxLines, Truncator: shaper.Shape(input([]rune("…")))}
	var wrapper shaping.LineWrapper
	wrapped, missing := wrapper.WrapParagraph(config, width, runes, shaping.NewSliceIterator(shaped))
	lines := make([]Line, 0, len(wrapped))
	for i, runs := range wrapped {
		line := Line{text: runes, runs: runs, cut: missing > 0 && i == len(wrapped)-1}
		for _, run := range runs {
			line.width += run.Advance
		}
		lines = append(lines, line)
	}
	return lines
}

// readable returns the characters of a text that the faces can show, as one paragraph.
func readable(text string, faces faces) []rune {
	var kept strings.Builder
	for _, r := range strings.Join(strings.Fields(text), " ") {
		// Joiners have no glyph of their own and shape their neighbours.
		if r == '\u200c' || r == '\u200d' || unicode.IsPrint(r) && faces.knows(r) {
			kept.WriteRune(r)
		}
	}
	return []rune(strings.Join(strings.Fields(kept.String()), " "))
}

// Draw draws the line with its baseline's left end at a point.
func (l Line) Draw(target draw.Image, at image.Point, ink color.Color) {
	bounds := target.Bounds()
	raster := vector.NewRasterizer(bounds.Dx(), bounds.Dy())
	x, y := float32(at.X-bounds.Min.X), float32(at.Y-bounds.Min.Y)
	for _, run := range l.runs {
		scale := pixels(run.Size) / float32(run.Face.Upem())
		for _, glyph := range run.Glyphs {
			if outline, found := run.Face.GlyphDataOutline(glyph.GlyphID); found {
				trace(raster, outline, scale, x+pixels(glyph.XOffset), y-pixels(glyph.YOffset))
			}
			x += pixels(glyph.Advance)
		}
	}
	raster.Draw(target, bounds, image.NewUniform(ink), image.Point{})
}

func pixels(v fixed.Int26_6) float32 { return float32(v) / 64 }

// trace adds the outline of a glyph, whose y axis points up, to the path of a rasterizer.
func trace(raster *vector.Rasterizer, outline font.GlyphOutline, scale, x, y float32) {
	point := func(p opentype.SegmentPoint) (float32, float32) { return x + p.X*scale, y - p.Y*scale }
	for i, segment := range outline.Segments {
		ax, ay := point(segment.Args[0])
		bx, by := point(segment.Args[1])
		cx, cy := point(segment.Args[2])
		switch segment.Op {
		case opentype.SegmentOpMoveTo:
			if i > 0 {
				raster.ClosePath()
			}
			raster.MoveTo(ax, ay)
		case opentype.SegmentOpLineTo:
			raster.LineTo(ax, ay)
		case opentype.SegmentOpQuadTo:
			raster.QuadTo(ax, ay, bx, by)
		case opentype.SegmentOpCubeTo:
			raster.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	raster.ClosePath()
}
