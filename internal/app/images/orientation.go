package images

import (
	"encoding/binary"
	"image"
)

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
