package main

// The pictures of the demo's offers, drawn here so that the demo needs no files.

const (
	white    = 0xFFFFFF
	mist     = 0xF3F5FA
	ink      = 0x1B2140
	slate    = 0xB7C1DA
	sky      = 0xD5DCEE
	cream    = 0xF0EAD6
	marigold = 0xE9B949
	clay     = 0xA9501B
	forest   = 0x2B3A2C
	bottle   = 0x2C5E46
	wood     = 0x5B4636
)

// bars draws lines of text, too small to read, with the given lengths.
func bars(c *canvas, hex uint32, x, y, height, step float32, lengths ...float32) {
	for i, length := range lengths {
		c.fill(hex, rectangle(x, y+float32(i)*step, length, height))
	}
}

// logo draws one logo on two backgrounds.
func logo(c *canvas) {
	c.fill(bottle, rectangle(160, 0, 160, 240))
	for _, side := range []struct {
		x         float32
		sign, eye uint32
	}{{80, bottle, cream}, {240, cream, bottle}} {
		c.fill(side.sign, disc(side.x, 120, 52))
		c.fill(side.eye, leaf(side.x, 158, side.x, 84, 44), rectangle(side.x-1.5, 150, 3, 22))
		c.fill(side.sign, rectangle(side.x-1.5, 100, 3, 58))
		c.fill(side.sign, polygon(side.x, 132, side.x-14, 118, side.x-12, 116, side.x, 127))
		c.fill(side.sign, polygon(side.x, 120, side.x+13, 107, side.x+11, 105, side.x, 115))
	}
}

// website draws a page in a browser window.
func website(c *canvas) {
	c.fill(white, rounded(34, 38, 252, 178, 5))
	c.fill(sky, rounded(34, 38, 252, 20, 5), rectangle(34, 48, 252, 10))
	c.fill(0x8E9CC0, disc(46, 48, 3.5), disc(57, 48, 3.5))
	bars(c, ink, 52, 78, 13, 20, 108, 82)
	bars(c, slate, 52, 122, 6, 12, 96, 88, 60)
	c.fill(0x2E7D5B, rounded(52, 166, 58, 18, 2))
	c.fill(0xE6CB8A, rectangle(182, 76, 86, 116))
	c.fill(0xB4862F, polygon(182, 192, 182, 178, 214, 140, 234, 164, 246, 150, 268, 178, 268, 192))
	c.fill(white, disc(244, 104, 11))
}

// writing draws a page of a khata with text hanging from the matra, and a pen.
func writing(c *canvas) {
	c.fill(white, rectangle(76, 26, 150, 196))
	c.fill(0xA31621, rectangle(76, 26, 10, 196))
	for i, length := range []float32{112, 96, 118, 74, 104, 88} {
		y := 52 + float32(i)*26
		c.fill(ink, rectangle(98, y, length, 3.5))
		for x := float32(102); x < 96+length; x += 13 {
			c.fill(ink, rectangle(x, y, 3, 12), disc(x+5, y+9, 3.5))
		}
	}
	c.fill(marigold, polygon(236, 196, 278, 84, 292, 89, 250, 201))
	c.fill(clay, polygon(278, 84, 282, 73, 296, 78, 292, 89))
	c.fill(ink, polygon(236, 196, 250, 201, 238, 216))
}

func laptop(c *canvas) {
	c.fill(0x3B4256, rounded(72, 58, 176, 122, 7))
	c.fill(0xBFCFE8, rectangle(82, 68, 156, 104))
	c.fill(0x7E98BF, polygon(82, 172, 82, 158, 124, 108, 158, 146, 186, 118, 238, 168, 238, 172))
	c.fill(white, disc(200, 94, 10))
	c.fill(0xB7BCCB, polygon(64, 180, 256, 180, 270, 194, 266, 201, 54, 201, 50, 194))
	c.fill(0x9097AB, rounded(134, 180, 52, 7, 3))
	c.fill(0xC8102E, disc(238, 190, 2.5))
}

func books(c *canvas) {
	c.fill(wood, rectangle(60, 200, 200, 7))
	c.fill(0x2B5F6B, polygon(70, 53, 138, 47, 146, 200, 83, 200))
	c.fill(white, polygon(80, 72, 130, 67, 130.6, 75, 80.7, 80))
	c.fill(0x9DC3C9, polygon(82, 90, 114, 87, 114.6, 94, 82.7, 97))
	c.fill(0xC98A2B, rectangle(148, 44, 42, 156))
	c.fill(cream, rectangle(156, 60, 26, 6), rectangle(156, 72, 26, 3))
	c.fill(0x3D4669, rectangle(194, 56, 26, 144))
	c.fill(slate, rectangle(200, 70, 14, 5))
	c.fill(0x7C8A5B, rectangle(224, 46, 24, 154))
	c.fill(cream, disc(236, 66, 7))
}

// wallHanging draws woven jute on a rod.
func wallHanging(c *canvas) {
	c.fill(wood, polygon(160, 22, 162, 22, 246, 58, 245, 60, 160, 25, 75, 60, 74, 58, 158, 22))
	c.fill(wood, rounded(60, 56, 200, 8, 4))
	for i := range 15 {
		x := 82 + float32(i)*11
		length := 124 - abs(float32(i)-7)*9
		c.fill(0xC9A66B, rectangle(x-4.5, 64, 9, length))
		c.fill(0xA97F43, rectangle(x-1, 64+length, 2, 26))
	}
	for i, hex := range []uint32{clay, forest, marigold} {
		y := 82 + float32(i)*22
		for x := float32(80); x < 240; x += 20 {
			c.fill(hex, polygon(x, y+7, x+10, y-3, x+20, y+7, x+10, y+17))
		}
	}
}

// channel draws the page of a video channel about cricket.
func channel(c *canvas) {
	c.fill(forest, rectangle(0, 0, pictureWidth, 78))
	c.fill(0x6E8B4E, rectangle(0, 60, pictureWidth, 18))
	c.fill(marigold, polygon(208, 58, 246, 12, 256, 20, 218, 66))
	c.fill(wood, polygon(246, 12, 258, -2, 264, 3, 254, 18))
	c.fill(0xC8402B, disc(284, 46, 11))
	c.fill(white, rectangle(276, 45, 16, 1.6))
	bars(c, white, 84, 26, 11, 18, 98, 64)
	c.fill(mist, disc(44, 84, 27))
	c.fill(0xC8402B, disc(44, 84, 23))
	c.fill(white, polygon(26, 78, 62, 78, 62, 80.5, 26, 80.5), polygon(26, 88, 62, 88, 62, 90.5, 26, 90.5))
	bars(c, ink, 84, 92, 8, 14, 92)
	bars(c, slate, 84, 106, 6, 10, 138)
	for i, hex := range []uint32{0xC9DDCC, 0xF2D9A5, sky} {
		x := 16 + float32(i)*98
		c.fill(hex, rectangle(x, 130, 90, 56))
		c.fill(white, disc(x+45, 158, 13))
		c.fill(ink, polygon(x+41, 151, x+41, 165, x+53, 158))
		bars(c, ink, x, 194, 6, 11, 74)
		bars(c, slate, x, 206, 5, 10, 48)
	}
}

// bakery draws a bakery's page with its cover and a post.
func bakery(c *canvas) {
	c.fill(0xF2D9A5, rectangle(0, 0, pictureWidth, 92))
	for i, x := range []float32{150, 204, 258} {
		c.fill([]uint32{0xB5643C, 0xD98E4A, 0x8C4A2F}[i], bowl(x, 56, 22))
		c.fill([]uint32{0xF7E7CE, 0xE58C8A, 0xF3F5FA}[i], rounded(x-24, 32, 48, 26, 13))
		c.fill(0xC8402B, disc(x, 29, 5))
	}
	c.fill(mist, rectangle(18, 58, 68, 68))
	c.fill(0xB5643C, rectangle(22, 62, 60, 60))
	c.fill(0xF7E7CE, rounded(34, 74, 36, 24, 12), rectangle(38, 88, 28, 24))
	bars(c, ink, 98, 102, 9, 15, 120)
	bars(c, slate, 98, 117, 6, 11, 76)
	c.fill(white, rectangle(18, 140, 284, 84))
	bars(c, 0x5B6B8C, 32, 154, 7, 14, 190)
	bars(c, slate, 32, 170, 6, 12, 240, 226, 160)
	c.fill(0x2F5FC4, rounded(32, 206, 42, 9, 2))
	c.fill(sky, rounded(80, 206, 42, 9, 2))
}

// domain draws a domain name in a browser's address bar.
func domain(c *canvas) {
	c.fill(0x3A5F86, disc(160, 292, 132))
	c.fill(0x2B4A6B, disc(160, 316, 132))
	c.fill(white, rounded(30, 78, 260, 54, 27))
	c.fill(0x2E7D5B, rounded(50, 100, 16, 13, 2))
	c.fill(0x2E7D5B, rounded(52, 92, 12, 16, 6))
	c.fill(white, rounded(54.5, 94.5, 7, 10, 3.5))
	c.fill(0x2E7D5B, rectangle(50, 101, 16, 4))
	bars(c, ink, 80, 100, 11, 20, 104)
	c.fill(ink, disc(190, 109, 2.5))
	c.fill(clay, rectangle(197, 100, 42, 11))
	c.fill(marigold, disc(266, 105, 14))
	c.fill(ink, polygon(262, 98, 262, 112, 273, 105))
}

// phone draws a phone from both sides.
func phone(c *canvas) {
	c.fill(ink, rounded(80, 28, 92, 186, 11))
	c.fill(0x8FA3CF, rounded(85, 33, 82, 176, 8))
	c.fill(0x5D77AE, polygon(85, 190, 85, 150, 126, 118, 167, 150, 167, 190), rounded(85, 172, 82, 37, 8))
	c.fill(white, disc(140, 78, 13))
	c.fill(ink, disc(126, 42, 3))
	c.fill(slate, rounded(150, 40, 92, 186, 11))
	c.fill(mist, rounded(151, 41, 90, 184, 10))
	c.fill(ink, disc(172, 64, 9), disc(172, 90, 9), disc(172, 116, 9))
	c.fill(0x5D77AE, disc(172, 64, 4), disc(172, 90, 4), disc(172, 116, 4))
	c.fill(slate, disc(192, 64, 4))
}

func watch(c *canvas) {
	c.fill(0x7A4528, polygon(134, -2, 186, -2, 182, 78, 138, 78), polygon(138, 164, 182, 164, 186, 242, 134, 242))
	c.fill(0xD7DAE2, disc(160, 120, 58), rounded(214, 113, 10, 14, 2))
	c.fill(0xFAF7EF, disc(160, 120, 49))
	c.fill(ink, rectangle(158, 76, 4, 9), rectangle(158, 155, 4, 9), rectangle(116, 118, 9, 4), rectangle(195, 118, 9, 4))
	c.fill(ink, polygon(158, 122, 162, 122, 161, 88, 159, 88), polygon(159, 118, 158, 122, 184, 136, 186, 133))
	c.fill(clay, disc(160, 120, 4.5))
}

// plantsPage draws a page with a grid of pictures.
func plantsPage(c *canvas) {
	grounds := []uint32{0xD8C6DD, 0xEADBB6, 0xE3B9A8, 0xC4D4B3, 0xAAB4D8, 0xB5CFCF}
	for row := range 3 {
		for column := range 4 {
			x, y := 8+float32(column)*77, 8+float32(row)*76
			c.fill(grounds[(row*5+column*2)%len(grounds)], rectangle(x, y, 73, 72))
			if (row+column)%2 == 1 {
				continue
			}
			c.fill([]uint32{clay, 0x7A5C87, wood}[row], polygon(x+24, y+44, x+49, y+44, x+45, y+64, x+28, y+64))
			for _, tip := range [][2]float32{{16, 18}, {36.5, 8}, {57, 18}} {
				c.fill(bottle, leaf(x+36.5, y+45, x+tip[0], y+tip[1], 14))
			}
		}
	}
}
