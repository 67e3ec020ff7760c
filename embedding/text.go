package embedding

import (
	"crypto/sha256"
	"strings"
)

// Key stands for a text and all texts that are embedded alike. With the ID of a model it stands for a vector,
// so that a text already embedded is not embedded again.
type Key [sha256.Size]byte

// KeyOf returns the SHA-256 of the Normal form of a text.
func KeyOf(text string) Key { return sha256.Sum256([]byte(Normal(text))) }

// Normal returns the text as it is embedded: each run of white space is one space, none at the ends, and each run of
// bytes that is not UTF-8 is U+FFFD. Case and accents stay, since there are models that tell them apart.
// Normal of a Normal form is itself.
func Normal(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	var b strings.Builder
	for field := range strings.FieldsSeq(text) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		} else {
			b.Grow(len(text))
		}
		b.WriteString(field)
	}
	return b.String()
}
