package api_test

import (
	"encoding/base64"
	"image/color"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

func TestUpdateProfile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	change := func(picture any) reply {
		return b.do(http.MethodPut, "/auth/update-profile", fields{"profilePic": picture})
	}
	var user api.User
	change(pictureURL(t, color.White, 200, 200)).want(200).into(&user)
	require.Equal(t, "rahim@example.com", user.Email)
	require.Equal(t, 96, f.visitor().get(belowAPI(user.ProfilePic)+"?w=96").want(200).width(), "everybody sees it")
	first := user.ProfilePic

	b.get("/auth/check").want(200).into(&user)
	require.Equal(t, first, user.ProfilePic)
	change(first).want(200).into(&user)
	require.Equal(t, first, user.ProfilePic, "the picture it has")
	change(pictureURL(t, color.Black, 50, 50)).want(200).into(&user)
	require.NotEqual(t, first, user.ProfilePic)
	change("").want(200).into(&user)
	require.Empty(t, user.ProfilePic)

	change(nil).refused(400, "invalid", "Please select an image file!")
	b.do(http.MethodPut, "/auth/update-profile", nil).refused(400, "invalid", "Please select an image file!")
	change(first).refused(400, "invalid", "Please select an image file!")
	change(7).refused(400, "invalid", "profilePic must be a text.")
	change("data:image/svg+xml;base64,PHN2Zy8+").
		refused(400, "invalid", "This image cannot be read. Please choose a PNG, JPEG, WebP or GIF file.")
	b.get("/auth/check").want(200).into(&user)
	require.Empty(t, user.ProfilePic, "what is refused changes nothing")
}

func TestUpdateProfile_size_limits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	zeros := func(size int) string {
		return `{"profilePic": "data:image/png;base64,` + base64.StdEncoding.EncodeToString(make([]byte, size)) + `"}`
	}
	put := func(body string) reply { return b.do(http.MethodPut, "/auth/update-profile", body) }
	put(zeros(4<<20)).refused(400, "invalid", "This image cannot be read. Please choose a PNG, JPEG, WebP or GIF file.")
	put(zeros(5<<20+1)).refused(413, "too_large", "The image is too large: the limit is 5 MiB.")
	put(strings.Repeat(" ", 7<<20+1)).refused(413, "too_large", "The request is too large: the limit is 7 MiB.")
}

// Three deliveries and three answers make a typical time; the partners, who answered nobody, have
// none.
func TestProfile_pace(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	partners := []*browser{buyer, f.member("salma"), f.member("karim")}
	for _, partner := range partners[1:] {
		partner.fund(boss, 10)
	}
	for _, partner := range partners {
		require.Nil(t, f.visitor().profile(seller).TypicalDeliveryHours)
		require.Nil(t, f.visitor().profile(seller).TypicalAnswerMinutes)
		talk := partner.opens(seller, fields{"text": "Salam"}).Conversation.ID
		f.clock.Advance(6*time.Minute + 30*time.Second)
		seller.says(talk, "Salam to you")
		deal := partner.active(seller, 1)
		f.clock.Advance(90 * time.Minute)
		seller.acts("deliver", deal, "Seller has delivered the deal", "Delivered")
		partner.post(complete(deal), nil).want(200)
	}
	seen := f.visitor().profile(seller)
	require.Equal(t, []int{2, 7}, []int{*seen.TypicalDeliveryHours, *seen.TypicalAnswerMinutes})
	require.Nil(t, f.visitor().profile(buyer).TypicalDeliveryHours)
	require.Nil(t, f.visitor().profile(buyer).TypicalAnswerMinutes)
}
