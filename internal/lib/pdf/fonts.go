package pdf

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"

	"amanat/internal/lib/typeset"
)

// maxCodes is how many glyphs a font can have, since a code is a byte.
const maxCodes = 256

// code identifies a glyph and the text that it stands for: one glyph may stand for several texts.
type code struct {
	font *typeset.Font
	id   uint32
	text string
}

// fonts are the fonts of a document: those of the text, each split into as many as its glyphs need.
type fonts struct {
	list   []*type3
	known  map[code][2]int       // the font's number and the glyph's code in it
	filled map[*typeset.Font]int // the font that takes further glyphs
}

// type3 is a font with its own glyphs.
type type3 struct {
	source *typeset.Font
	glyphs []code
}

// use returns the font and the code of a glyph, which become part of the document.
func (f *fonts) use(glyph typeset.Glyph) (number, character int) {
	if f.known == nil {
		f.known, f.filled = map[code][2]int{}, map[*typeset.Font]int{}
	}
	key := code{glyph.Font, glyph.ID, glyph.Text}
	if place, found := f.known[key]; found {
		return place[0], place[1]
	}
	number, found := f.filled[glyph.Font]
	if !found || len(f.list[number].glyphs) == maxCodes {
		number = len(f.list)
		f.list = append(f.list, &type3{source: glyph.Font})
		f.filled[glyph.Font] = number
	}
	font := f.list[number]
	font.glyphs = append(font.glyphs, key)
	f.known[key] = [2]int{number, len(font.glyphs) - 1}
	return number, len(font.glyphs) - 1
}

func (d *Document) writeFonts() {
	var names strings.Builder
	for i, font := range d.fonts.list {
		object := d.reserve()
		d.writeFont(object, font)
		fmt.Fprintf(&names, "/F%d %d 0 R ", i, object)
	}
	d.object(fontsObject, "<< "+names.String()+">>")
}

func (d *Document) writeFont(object int, f *type3) {
	var procedures, encoding, widths strings.Builder
	var box bounds
	for i, glyph := range f.glyphs {
		outline, advance := typeset.Outline(glyph.font, glyph.id)
		procedure := d.reserve()
		content, around := draw(outline, advance)
		box.add(around.left, around.bottom)
		box.add(around.right, around.top)
		d.stream(procedure, content)
		fmt.Fprintf(&procedures, "/g%d %d 0 R ", i, procedure)
		fmt.Fprintf(&encoding, "/g%d ", i)
		fmt.Fprintf(&widths, "%s ", number(advance))
	}
	texts := d.reserve()
	d.stream(texts, []byte(f.texts()))
	scale := 1 / float64(f.source.Upem())
	d.object(object, fmt.Sprintf("<< /Type /Font /Subtype /Type3 /FontBBox [%s] /FontMatrix [%.8f 0 0 %.8f 0 0] /Resources << >>\n"+
		"/CharProcs << %s>> /Encoding << /Type /Encoding /Differences [0 %s] >>\n/FirstChar 0 /LastChar %d /Widths [%s] /ToUnicode %d 0 R >>",
		box, scale, scale, procedures.String(), encoding.String(), len(f.glyphs)-1, widths.String(), texts))
}

// texts maps codes to what they stand for.
func (f *type3) texts() string {
	var b strings.Builder
	b.WriteString("/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def\n" +
		"1 begincodespacerange <00> <ff> endcodespacerange\n")
	const block = 100 // the most that a section may have
	for first := 0; first < len(f.glyphs); first += block {
		part := f.glyphs[first:min(first+block, len(f.glyphs))]
		fmt.Fprintf(&b, "%d beginbfchar\n", len(part))
		for i, glyph := range part {
			fmt.Fprintf(&b, "<%02x> <%s>\n", first+i, hexUTF16(glyph.text))
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap end end\n")
	return b.String()
}

// draw returns the procedure of a glyph: its size, then its outline, which is filled.
func draw(outline font.GlyphOutline, advance float64) ([]byte, bounds) {
	path, box := trace(outline)
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s 0 %s d1\n", number(advance), box)
	if len(path) > 0 {
		b.Write(path)
		b.WriteString("f\n")
	}
	return b.Bytes(), box
}

type bounds struct{ left, bottom, right, top float64 }

// String returns the bounds in the order of PDF.
func (b bounds) String() string {
	return strings.Join([]string{number(b.left), number(b.bottom), number(b.right), number(b.top)}, " ")
}

func (b *bounds) add(x, y float64) {
	b.left, b.right = min(b.left, x), max(b.right, x)
	b.bottom, b.top = min(b.bottom, y), max(b.top, y)
}

// trace returns the outline as a path. PDF has cubic curves only, which quadratic ones convert to.
func trace(outline font.GlyphOutline) ([]byte, bounds) {
	var path bytes.Buffer
	var box bounds
	var x, y float64 // where the path is
	for _, segment := range outline.Segments {
		points := make([]float64, 0, 6)
		for _, p := range segment.ArgsSlice() {
			box.add(float64(p.X), float64(p.Y))
			points = append(points, float64(p.X), float64(p.Y))
		}
		operator := "l"
		switch segment.Op {
		case opentype.SegmentOpMoveTo:
			operator = "m"
			if path.Len() > 0 {
				path.WriteString("h ")
			}
		case opentype.SegmentOpLineTo:
		case opentype.SegmentOpQuadTo:
			operator = "c"
			points = cubic(x, y, points)
		case opentype.SegmentOpCubeTo:
			operator = "c"
		}
		for _, v := range points {
			path.WriteString(number(v) + " ")
		}
		path.WriteString(operator + "\n")
		x, y = points[len(points)-2], points[len(points)-1]
	}
	if path.Len() > 0 {
		path.WriteString("h ")
	}
	return path.Bytes(), box
}

// cubic converts a quadratic curve from x, y with a control point and an end.
func cubic(x, y float64, q []float64) []float64 {
	return []float64{
		x + (q[0]-x)*2/3, y + (q[1]-y)*2/3,
		q[2] + (q[0]-q[2])*2/3, q[3] + (q[1]-q[3])*2/3,
		q[2], q[3],
	}
}
