package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	noWarningWords = "off"

	maxWarningWords   = 200
	minWarningLetters = 2
	maxWarningLetters = 60
)

// defaultWarningWords are what people write who want to be paid, or written to, outside Amanat: in
// English, in Bangla, and in Bangla with Latin letters.
var defaultWarningWords = []string{
	"send money", "send the money", "send taka", "send payment", "send me the money", "cash out", "pay outside", "pay directly",
	"pay me directly", "direct payment", "outside amanat", "without amanat", "outside the site", "outside the platform", "off platform",
	"bank transfer", "personal number", "personal account", "agent number", "merchant number", "bkash number", "nagad number",
	"rocket number", "bkash me", "nagad me", "advance", "security deposit", "gift card", "western union",
	"bkash koren", "bkash korun", "bkash korben", "bkash kore den", "bkash kore dao", "bkash e pathan", "bkash e den", "bkash den",
	"nagad koren", "nagad korun", "nagad korben", "nagad kore den", "nagad e pathan", "nagad e den", "nagad den",
	"taka pathan", "taka pathao", "taka pathaben", "send money koren", "send money korun", "send money korben", "otp", "pin number",
	"whatsapp", "whats app", "wa.me", "telegram", "t.me", "imo number", "messenger e asen", "call me", "call den", "inbox koren",
	"বিকাশ করেন", "বিকাশ করুন", "বিকাশ করবেন", "বিকাশ করে দেন", "বিকাশ করে দিন", "বিকাশ কর", "বিকাশে পাঠান", "বিকাশে দেন", "বিকাশে দিন",
	"বিকাশ নম্বর", "বিকাশ নাম্বার", "নগদ করেন", "নগদ করুন", "নগদ করবেন", "নগদে পাঠান", "নগদে দেন", "নগদে দিন", "নগদ নম্বর", "নগদ নাম্বার",
	"রকেট নম্বর", "রকেট নাম্বার", "রকেটে পাঠান", "টাকা পাঠান", "টাকা পাঠাও", "টাকা পাঠাবেন", "টাকা পাঠিয়ে দেন", "টাকা পাঠিয়ে দিন",
	"সেন্ড মানি", "ক্যাশ আউট", "সরাসরি টাকা", "সরাসরি পেমেন্ট", "বাইরে পেমেন্ট", "বাইরে টাকা", "আমানতের বাইরে", "আমানত ছাড়া",
	"পার্সোনাল নম্বর", "পার্সোনাল নাম্বার", "এজেন্ট নম্বর", "এজেন্ট নাম্বার", "অগ্রিম", "অ্যাডভান্স", "এডভান্স", "ওটিপি", "পিন নম্বর",
	"পিন নাম্বার", "হোয়াটসঅ্যাপ", "হোয়াটসঅ্যাপে", "হোয়াটসএপ", "টেলিগ্রাম", "টেলিগ্রামে", "ইমো", "ইমোতে", "কল দেন", "কল দিন",
}

// WarningWords returns the words and phrases that a received message is marked for.
func (c API) WarningWords() []string {
	words := []string{}
	for _, word := range c.ChatWarningWords {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	switch {
	case len(words) == 0:
		return slices.Clone(defaultWarningWords)
	case len(words) == 1 && words[0] == noWarningWords:
		return []string{}
	}
	return words
}

// warningWords checks the list that clients search every message for.
func warningWords(words []string) error {
	if len(words) > maxWarningWords {
		return fmt.Errorf("must be at most %d words; got %d", maxWarningWords, len(words))
	}
	for _, word := range words {
		if n := utf8.RuneCountInString(word); n < minWarningLetters || n > maxWarningLetters {
			return fmt.Errorf("must be words of %d to %d characters; got %q", minWarningLetters, maxWarningLetters, word)
		}
	}
	return nil
}
