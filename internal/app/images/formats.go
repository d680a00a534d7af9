package images

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

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
