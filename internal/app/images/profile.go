package images

import (
	"encoding/binary"
	"image"
	"math"
	"sync"
)

// Bounds of an ICC profile. One of curves and a matrix is smaller: those of cameras and phones take
// less than 4 KiB.
const (
	maxProfile     = 64 << 10
	maxProfileTags = 100
)

// profileColors converts the pixels of a picture to sRGB: three curves make them linear, and a
// matrix turns the profile's primary colors into those of sRGB. A library would read more kinds of
// profiles, but github.com/kovidgoyal/imaging v1.9.0 allocates 12 GB for a malicious one of 600
// bytes.
type profileColors struct {
	linear [3][256]float32
	matrix [3][3]float32
}

// xyzToSRGB turns the connection space of profiles (XYZ, white D50) into linear sRGB.
var xyzToSRGB = [3][3]float64{
	{3.1338561, -1.6168667, -0.4906146},
	{-0.9787684, 1.9161415, 0.0334540},
	{0.0719453, -0.2289914, 1.4052427},
}

// linearSteps is the resolution of linear light, fine enough for dark colors.
const linearSteps = 1 << 13

// encodeSRGB returns the sRGB value of each step of linear light.
var encodeSRGB = sync.OnceValue(func() *[linearSteps + 1]uint8 {
	table := new([linearSteps + 1]uint8)
	for step := range table {
		v := float64(step) / linearSteps
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		table[step] = uint8(math.Round(255 * v))
	}
	return table
})

// readProfile reads a profile of RGB that consists of curves and a matrix (ICC.1:2022, 8 and 10).
// It returns nil for any other, and for one that is malformed or the same as sRGB.
func readProfile(profile []byte) *profileColors {
	const headerSize, space, connection, signature = 128, 16, 20, 36
	if len(profile) < headerSize+4 || len(profile) > maxProfile ||
		string(profile[signature:signature+4]) != "acsp" ||
		string(profile[space:space+4]) != "RGB " || string(profile[connection:connection+4]) != "XYZ " {
		return nil
	}
	tags := profileTags(profile, headerSize)
	c := &profileColors{}
	for i, color := range []string{"r", "g", "b"} {
		primary, ok := readXYZ(tags[color+"XYZ"])
		if !ok || !readCurve(tags[color+"TRC"], &c.linear[i]) {
			return nil
		}
		for row := range c.matrix {
			for k := range primary {
				c.matrix[row][i] += float32(xyzToSRGB[row][k] * primary[k])
			}
		}
	}
	if c.changesNothing() {
		return nil
	}
	return c
}

// profileTags returns the tags of a profile by their names. Tags may share their data.
func profileTags(profile []byte, table int) map[string][]byte {
	tags := map[string][]byte{}
	const entry = 12
	rest := profile[table+4:]
	for range min(binary.BigEndian.Uint32(profile[table:]), maxProfileTags) {
		if len(rest) < entry {
			break
		}
		at, size := uint64(binary.BigEndian.Uint32(rest[4:])), uint64(binary.BigEndian.Uint32(rest[8:]))
		if at+size <= uint64(len(profile)) {
			tags[string(rest[:4])] = profile[at : at+size]
		}
		rest = rest[entry:]
	}
	return tags
}

func readXYZ(tag []byte) (xyz [3]float64, ok bool) {
	const start = 8
	if len(tag) < start+12 || string(tag[:4]) != "XYZ " {
		return xyz, false
	}
	for i := range xyz {
		xyz[i] = fixed(tag[start+4*i:])
	}
	return xyz, true
}

// fixed reads a number with 16 bits after the point.
func fixed(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / (1 << 16) }

// readCurve evaluates a curve for every 8-bit value.
func readCurve(tag []byte, linear *[256]float32) bool {
	const start = 12
	if len(tag) < start {
		return false
	}
	var curve func(x float64) float64
	switch string(tag[:4]) {
	case "curv":
		curve = sampledCurve(tag[start:], uint64(binary.BigEndian.Uint32(tag[8:])))
	case "para":
		curve = parametricCurve(tag[start:], binary.BigEndian.Uint16(tag[8:]))
	}
	if curve == nil {
		return false
	}
	for i := range linear {
		y := curve(float64(i) / 255)
		if math.IsNaN(y) {
			return false
		}
		linear[i] = float32(min(max(y, 0), 1))
	}
	return true
}

// sampledCurve returns a curve of count points: none is the identity, one is an exponent.
func sampledCurve(points []byte, count uint64) func(x float64) float64 {
	if uint64(len(points)) < 2*count {
		return nil
	}
	at := func(i int) float64 { return float64(binary.BigEndian.Uint16(points[2*i:])) }
	switch count {
	case 0:
		return func(x float64) float64 { return x }
	case 1:
		return func(x float64) float64 { return math.Pow(x, at(0)/(1<<8)) }
	}
	last := int(count) - 1
	return func(x float64) float64 {
		whole, part := math.Modf(x * float64(last))
		i := int(whole)
		return (at(i)*(1-part) + at(min(i+1, last))*part) / math.MaxUint16
	}
}

// parametricCurve returns (a·x + b)^g + e from d on, and c·x + f below it. Each kind of curve fixes
// some of these.
func parametricCurve(numbers []byte, kind uint16) func(x float64) float64 {
	counts := []int{1, 3, 4, 5, 7}
	if int(kind) >= len(counts) || len(numbers) < 4*counts[kind] {
		return nil
	}
	var n [7]float64
	for i := range counts[kind] {
		n[i] = fixed(numbers[4*i:])
	}
	g, a, b, c, d, e, f := n[0], n[1], n[2], n[3], n[4], n[5], n[6]
	switch kind {
	case 0:
		a, d = 1, 0
	case 1, 2: // c is added everywhere, and the rest begins where a·x + b = 0
		c, d, e, f = 0, -b/a, c, c
	}
	return func(x float64) float64 {
		if x >= d {
			return math.Pow(a*x+b, g) + e
		}
		return c*x + f
	}
}

// changesNothing reports whether no color differs visibly from sRGB's.
func (c *profileColors) changesNothing() bool {
	const invisible, step = 2, 51
	for r := 0; r < 256; r += step {
		for g := 0; g < 256; g += step {
			for b := 0; b < 256; b += step {
				toR, toG, toB := c.convert(uint8(r), uint8(g), uint8(b))
				if max(abs(int(toR)-r), abs(int(toG)-g), abs(int(toB)-b)) > invisible {
					return false
				}
			}
		}
	}
	return true
}

func abs(n int) int { return max(n, -n) }

// convert returns a color in sRGB. Colors outside of it become the nearest on its edge.
func (c *profileColors) convert(r, g, b uint8) (toR, toG, toB uint8) {
	x, y, z := c.linear[0][r], c.linear[1][g], c.linear[2][b]
	encode, m := encodeSRGB(), &c.matrix
	value := func(row *[3]float32) uint8 {
		v := row[0]*x + row[1]*y + row[2]*z
		return encode[int(min(max(v, 0), 1)*linearSteps+0.5)]
	}
	return value(&m[0]), value(&m[1]), value(&m[2])
}

// apply converts a picture in place.
func (c *profileColors) apply(picture *image.RGBA) {
	for pix := picture.Pix; len(pix) >= 4; pix = pix[4:] {
		alpha := int(pix[3])
		switch alpha {
		case 0:
		case 255:
			pix[0], pix[1], pix[2] = c.convert(pix[0], pix[1], pix[2])
		default: // the colors were multiplied by alpha
			whole := func(v uint8) uint8 { return uint8(min(255, int(v)*255/alpha)) }
			r, g, b := c.convert(whole(pix[0]), whole(pix[1]), whole(pix[2]))
			times := func(v uint8) uint8 { return uint8((int(v)*alpha + 127) / 255) }
			pix[0], pix[1], pix[2] = times(r), times(g), times(b)
		}
	}
}
