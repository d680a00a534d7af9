// Package soak makes tests longer in a build with the tag soak, which make soak runs every night.
// Tests that only run at night are in files with that tag.
package soak

// Rounds returns how often a test repeats something: daily times when tests run on each change,
// nightly times with the tag soak.
func Rounds(daily, nightly int) int {
	if on {
		return nightly
	}
	return daily
}
