package typeset

import (
	"iter"

	"github.com/go-text/typesetting/font"
)

// Glyph is a glyph of a line, for formats that have fonts.
type Glyph struct {
	Font *Font
	ID   uint32
	X, Y float64 // of its origin, in pixels to the right of and above the line's left end
	Size float64 // pixels per em
	// Text is the text that the glyph stands for. Of several glyphs that show one text together,
	// the first has it and the others have "".
	Text string
}

// Font is one of the fonts of a typeface.
type Font = font.Font

// Outline returns the outline of a glyph, in font units with the y axis upwards, and its advance.
// It has no segments for a space.
func Outline(f *Font, id uint32) (outline font.GlyphOutline, advance float64) {
	face := font.NewFace(f)
	outline, _ = face.GlyphDataOutline(font.GID(id))
	return outline, float64(face.HorizontalAdvance(font.GID(id)))
}

// Glyphs returns the glyphs of a line from left to right.
func (l Line) Glyphs() iter.Seq[Glyph] {
	return func(yield func(Glyph) bool) {
		x := 0.0
		for i, run := range l.runs {
			ellipsis := l.cut && i == len(l.runs)-1
			cluster := -1
			for _, g := range run.Glyphs {
				glyph := Glyph{
					Font: run.Face.Font, ID: uint32(g.GlyphID), Size: float64(pixels(run.Size)),
					X: x + float64(pixels(g.XOffset)), Y: float64(pixels(g.YOffset)),
				}
				if first := g.TextIndex(); first != cluster {
					cluster = first
					glyph.Text = string(l.text[first : first+g.RunesCount()])
				}
				if ellipsis {
					glyph.Text = "…"
				}
				if !yield(glyph) {
					return
				}
				x += float64(pixels(g.Advance))
			}
		}
	}
}
