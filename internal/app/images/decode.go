package images

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"

	"amanat/internal/lib/fault"
)

// Bounds of an upload. Its dimensions are read from the header, before anything is decoded.
const (
	maxBytes  = 5 << 20
	maxPixels = 16_000_000
	// pixelsPerCost is the number of pixels that cost one rate limit token. A picture of maxPixels
	// takes four times as long to decode.
	pixelsPerCost = 4_000_000
	maxSide       = 16_384 // scaling a line of a million pixels takes a gigabyte
	// maxScans bounds the passes over a JPEG: real files have about ten, but a small file can
	// request a hundred thousand.
	maxScans = 100
)

// Bounds of stored pictures. Photos are wide or square; screenshots of phones are tall.
const (
	maxWidth  = 1280
	maxHeight = 4096
)

// parseDataURL decodes the file of a data URL.
func parseDataURL(url string) ([]byte, error) {
	header, payload, found := strings.Cut(url, ",")
	mediaType, encoding, _ := cutLast(strings.ToLower(header), ";")
	if !found || !strings.HasPrefix(mediaType, "data:image/") {
		return nil, fault.New(fault.Invalid, "image_missing", "Please select an image file!")
	}
	if encoding != "base64" {
		return nil, errUnreadable()
	}
	if base64.StdEncoding.DecodedLen(len(payload)) > maxBytes+2 { // up to two bytes of padding
		return nil, errTooManyBytes()
	}
	file, err := base64.StdEncoding.DecodeString(payload)
	if err != nil {
		return nil, errUnreadable()
	}
	if len(file) > maxBytes {
		return nil, errTooManyBytes()
	}
	return file, nil
}

func cutLast(s, separator string) (before, after string, found bool) {
	at := strings.LastIndex(s, separator)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(separator):], true
}

// header is the format and size in a file's header.
type header struct {
	format *format
	pixels int
}

// cost returns the rate limit tokens for decoding: one for each started pixelsPerCost.
func (h header) cost() int { return (h.pixels + pixelsPerCost - 1) / pixelsPerCost }

// inspect reads the header of a file without decoding it. Codes: Invalid, TooLarge.
func inspect(file []byte) (header, error) {
	found := formatOf(file)
	if found == nil {
		return header{}, errUnreadable()
	}
	config, err := found.config(bytes.NewReader(file))
	if err != nil || config.Width <= 0 || config.Height <= 0 {
		return header{}, cannotDecode(found, file)
	}
	if config.Width*config.Height > maxPixels {
		return header{}, errTooLarge("16 megapixels")
	}
	if max(config.Width, config.Height) > maxSide {
		return header{}, errTooLarge("16,384 pixels a side")
	}
	if found == jpegFormat && bytes.Count(file, []byte(jpegScan)) > maxScans {
		return header{}, cannotDecode(found, file)
	}
	return header{format: found, pixels: config.Width * config.Height}, nil
}

// decode decodes an inspected file to an upright picture in sRGB, scaled down to the stored size.
func decode(file []byte, f *format) (*image.RGBA, error) {
	decoded, err := f.decode(bytes.NewReader(file))
	if f == jpegFormat && errors.Is(err, io.ErrUnexpectedEOF) {
		// Panoramas of some phones lack the end marker, which viewers do not need.
		decoded, err = f.decode(io.MultiReader(bytes.NewReader(file), strings.NewReader(jpegEnd)))
	}
	if err != nil {
		return nil, cannotDecode(f, file)
	}
	var about metadata
	if f.metadata != nil {
		about = f.metadata(file)
	}
	turn := exifOrientation(about.exif)
	limit := image.Pt(maxWidth, maxHeight)
	if turn.swapsSides() {
		limit = image.Pt(maxHeight, maxWidth)
	}
	picture := shrink(decoded, fit(decoded.Bounds().Size(), limit))
	if colors := readProfile(about.profile); colors != nil {
		colors.apply(picture)
	}
	return turn.apply(picture), nil
}

// fit returns the largest size of the same proportions within limit, never larger than size.
func fit(size, limit image.Point) image.Point {
	if size.X > limit.X {
		size = image.Pt(limit.X, max(1, size.Y*limit.X/size.X))
	}
	if size.Y > limit.Y {
		size = image.Pt(max(1, size.X*limit.Y/size.Y), limit.Y)
	}
	return size
}

// shrink scales a picture down. It halves the size while possible, averaging four pixels, and
// applies a sharper filter in the last step only: that filter keeps a row of its result in memory
// for every source row.
func shrink(source image.Image, size image.Point) *image.RGBA {
	for at := source.Bounds().Size(); at.X >= 2*size.X && at.Y >= 2*size.Y && at != size; at = source.Bounds().Size() {
		half := image.NewRGBA(image.Rect(0, 0, at.X/2, at.Y/2))
		draw.ApproxBiLinear.Scale(half, half.Bounds(), source, source.Bounds(), draw.Src, nil)
		source = half
	}
	if source, ok := source.(*image.RGBA); ok && source.Bounds().Size() == size && source.Bounds().Min == (image.Point{}) {
		return source
	}
	target := image.NewRGBA(image.Rectangle{Max: size})
	if source.Bounds().Size() == size {
		draw.Draw(target, target.Bounds(), source, source.Bounds().Min, draw.Src)
		return target
	}
	draw.CatmullRom.Scale(target, target.Bounds(), source, source.Bounds(), draw.Src, nil)
	return target
}

// crop scales the middle of a picture to a size, on white.
func crop(picture image.Image, size image.Point) *image.RGBA {
	from := picture.Bounds()
	if from.Dx()*size.Y > from.Dy()*size.X { // too wide
		width := max(1, from.Dy()*size.X/size.Y)
		from.Min.X += (from.Dx() - width) / 2
		from.Max.X = from.Min.X + width
	} else {
		height := max(1, from.Dx()*size.Y/size.X)
		from.Min.Y += (from.Dy() - height) / 2
		from.Max.Y = from.Min.Y + height
	}
	card := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(card, card.Bounds(), image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(card, card.Bounds(), picture, from, draw.Over, nil)
	return card
}

// cannotDecode returns why a file of an accepted format cannot be decoded.
func cannotDecode(f *format, file []byte) error {
	if f == webpFormat && animatedWebP(file) {
		return fault.New(fault.Invalid, "image_animated", "This WebP image is animated. Please choose one that does not move.")
	}
	return fault.Newf(fault.Invalid, "image_broken",
		"This {format} file is broken or of an unusual kind. Please save it again, or choose another image.",
		fault.Params{"format": f.name})
}

func errUnreadable() error {
	return fault.New(fault.Invalid, "image_unreadable", "This image cannot be read. Please choose a PNG, JPEG, WebP or GIF file.")
}

func errTooManyBytes() error { return errTooLarge("5 MiB") }

func errTooLarge(limit string) error {
	return fault.Newf(fault.TooLarge, "image_too_large", "The image is too large: the limit is {limit}.", fault.Params{"limit": limit})
}

const jpegQuality = 82

// variantWidths are the widths that screens use: the whole picture, cards on dense screens, cards,
// avatars.
var variantWidths = []int{maxWidth, 640, 320, 96}

// encode encodes a picture in its full size and in every smaller variant.
func encode(source *image.RGBA) (*Picture, error) {
	opaque := source.Opaque()
	p := &Picture{}
	add := func() error {
		v, err := encodeVariant(source, opaque)
		p.variants = append(p.variants, v)
		return err
	}
	if err := add(); err != nil {
		return nil, err
	}
	p.hash = sha256.Sum256(p.variants[0].data)
	for _, width := range variantWidths {
		size := source.Bounds().Size()
		if width >= size.X {
			continue
		}
		source = shrink(source, image.Pt(width, max(1, size.Y*width/size.X)))
		if err := add(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// encodeVariant writes a JPEG, or a PNG for a picture with transparency.
func encodeVariant(source *image.RGBA, opaque bool) (variant, error) {
	size := source.Bounds().Size()
	v := variant{width: size.X, height: size.Y, contentType: "image/jpeg"}
	var file bytes.Buffer
	var err error
	if opaque {
		err = jpeg.Encode(&file, source, &jpeg.Options{Quality: jpegQuality})
	} else {
		v.contentType = "image/png"
		err = png.Encode(&file, source)
	}
	if err != nil {
		return variant{}, fmt.Errorf("encode image: %w", err)
	}
	v.data = file.Bytes()
	return v, nil
}

// orientation is an EXIF orientation: the transformation that makes the picture upright.
type orientation int

const (
	upright           orientation = iota + 1
	mirrored                      // left and right
	upsideDown                    // turned by 180°
	flipped                       // top and bottom
	transposed                    // mirrored at the falling diagonal
	turnRight                     // by 90°
	transposedRising              // mirrored at the rising diagonal
	turnLeft                      // by 90°
	lastOrientation   = turnLeft
	exifOrientationID = 0x0112
	exifShort         = 3
)

func (o orientation) swapsSides() bool { return o >= transposed }

// apply returns the upright picture.
func (o orientation) apply(source *image.RGBA) *image.RGBA {
	if o == upright {
		return source
	}
	size := source.Bounds().Size()
	right, bottom := size.X-1, size.Y-1
	if o.swapsSides() {
		size = image.Pt(size.Y, size.X)
	}
	target := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			from := image.Pt(x, y)
			switch o {
			case upright:
			case mirrored:
				from = image.Pt(right-x, y)
			case upsideDown:
				from = image.Pt(right-x, bottom-y)
			case flipped:
				from = image.Pt(x, bottom-y)
			case transposed:
				from = image.Pt(y, x)
			case turnRight:
				from = image.Pt(y, bottom-x)
			case transposedRising:
				from = image.Pt(right-y, bottom-x)
			case turnLeft:
				from = image.Pt(right-y, x)
			}
			target.SetRGBA(x, y, source.RGBAAt(from.X, from.Y))
		}
	}
	return target
}

// exifOrientation returns the orientation in EXIF data; upright if it is missing or malformed.
func exifOrientation(tiff []byte) orientation {
	if len(tiff) < 8 {
		return upright
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(tiff[:4]) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return upright
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return upright
	}
	count, rest := order.Uint16(tiff[at:]), tiff[at+2:]
	const entry = 12
	for range count {
		if len(rest) < entry {
			break
		}
		value := orientation(order.Uint16(rest[8:]))
		if order.Uint16(rest) == exifOrientationID && order.Uint16(rest[2:]) == exifShort && value >= upright && value <= lastOrientation {
			return value
		}
		rest = rest[entry:]
	}
	return upright
}

// format is a kind of picture file that users may upload.
type format struct {
	name      string
	signature string // how a file begins; "?" stands for any byte
	config    func(io.Reader) (image.Config, error)
	decode    func(io.Reader) (image.Image, error)
	metadata  func(file []byte) metadata // nil: none is read
}

// metadata is what a file says about how its pixels are shown.
type metadata struct {
	exif    []byte // a TIFF structure
	profile []byte // an ICC profile
}

var (
	jpegFormat = &format{"JPEG", jpegStart, jpeg.DecodeConfig, jpeg.Decode, jpegMetadata}
	webpFormat = &format{"WebP", "RIFF????WEBP", webp.DecodeConfig, webp.Decode, webpMetadata}
)

// formats are the accepted ones, whatever other decoders dependencies register with package image.
var formats = []*format{
	jpegFormat,
	webpFormat,
	{"PNG", "\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode, pngMetadata},
	{"GIF", "GIF8?a", gif.DecodeConfig, gif.Decode, nil},
}

// formatOf returns the format of a file by its first bytes, nil for any other.
func formatOf(file []byte) *format {
	for _, f := range formats {
		if f.begins(file) {
			return f
		}
	}
	return nil
}

func (f *format) begins(file []byte) bool {
	if len(file) < len(f.signature) {
		return false
	}
	for i, want := range []byte(f.signature) {
		if want != '?' && file[i] != want {
			return false
		}
	}
	return true
}

// Parts of a JPEG.
const (
	jpegStart     = "\xFF\xD8"
	jpegEnd       = "\xFF\xD9"
	jpegScan      = "\xFF\xDA"
	jpegEXIF      = "\xFF\xE1"
	jpegProfile   = "\xFF\xE2"
	exifHeader    = "Exif\x00\x00"
	profileHeader = "ICC_PROFILE\x00\x01\x01" // the first segment of one
)

// jpegMetadata reads the segments before the picture. A profile that takes several segments is one
// of tables, which is not used.
func jpegMetadata(file []byte) (found metadata) {
	for rest := file[len(jpegStart):]; len(rest) >= 4 && rest[0] == 0xFF && string(rest[:2]) != jpegScan; {
		size := int(binary.BigEndian.Uint16(rest[2:])) // includes its own two bytes
		if size < 2 || len(rest) < 2+size {
			break
		}
		body := rest[4 : 2+size]
		switch string(rest[:2]) {
		case jpegEXIF:
			if tiff, ok := bytes.CutPrefix(body, []byte(exifHeader)); ok && found.exif == nil {
				found.exif = tiff
			}
		case jpegProfile:
			if profile, ok := bytes.CutPrefix(body, []byte(profileHeader)); ok {
				found.profile = profile
			}
		}
		rest = rest[2+size:]
	}
	return found
}

// pngMetadata reads the chunks of a PNG: its EXIF data may follow the pixels. Only one profile is
// decompressed, however many a file has.
func pngMetadata(file []byte) (found metadata) {
	const signature, start, checksum = 8, 8, 4
	var profile []byte
	for rest := file[signature:]; len(rest) >= start+checksum; {
		size := int(binary.BigEndian.Uint32(rest))
		if size > len(rest)-start-checksum {
			break
		}
		switch body := rest[start : start+size]; string(rest[4:start]) {
		case "eXIf":
			found.exif = body
		case "iCCP":
			profile = body
		}
		rest = rest[start+size+checksum:]
	}
	found.profile = pngProfile(profile)
	return found
}

// pngProfile returns the profile of an iCCP chunk: a name, a zero, the method of compression, and
// the compressed profile. One that is too long is cut where readProfile sees that it is.
func pngProfile(chunk []byte) []byte {
	_, packed, found := bytes.Cut(chunk, []byte{0, 0})
	if !found {
		return nil
	}
	reader, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	profile, err := io.ReadAll(io.LimitReader(reader, maxProfile+1))
	if err != nil {
		return nil
	}
	return profile
}

// webpMetadata reads the chunks of a WebP.
func webpMetadata(file []byte) (found metadata) {
	const header, start = 12, 8
	for rest := file[header:]; len(rest) >= start; {
		size := int(binary.LittleEndian.Uint32(rest[4:]))
		if size > len(rest)-start {
			break
		}
		switch body := rest[start : start+size]; string(rest[:4]) {
		case "EXIF":
			found.exif = bytes.TrimPrefix(body, []byte(exifHeader)) // some programs copy it from a JPEG
		case "ICCP":
			found.profile = body
		}
		rest = rest[min(start+size+size%2, len(rest)):]
	}
	return found
}

// animatedWebP reports whether the header of a WebP says that it moves
// (https://developers.google.com/speed/webp/docs/riff_container).
func animatedWebP(file []byte) bool {
	const chunk, flags, animation = 12, 20, 0x02
	return len(file) > flags && string(file[chunk:chunk+4]) == "VP8X" && file[flags]&animation != 0
}
