package entities

import (
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"tenure/graph"
)

// longest is the most bytes of a value that stand in its key as they are; a longer value is keyed by its hash.
const longest = 256

// Key is the normalised form of a name: names with the same key are one name. Compatibility forms, case and runs of white
// space make no difference; punctuation and accents do.
func Key(name string) string {
	folded := norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
	return strings.Join(strings.Fields(folded), " ") // last: folding may leave white space behind
}

// ValueKey is the normalised form of a literal. Amounts compare by number, unit and currency: "$1M" and "$1,000,000" are
// one. No name has the key of a literal.
func ValueKey(text string) string {
	key := Key(text)
	if amount, ok := amountKey(key); ok {
		return "=" + amount
	}
	if len(key) > longest {
		sum := sha256.Sum256([]byte(key))
		return "=sha256:" + hex.EncodeToString(sum[:])
	}
	return "=" + key
}

// Keys are the keys under which a thing of that name may be found: that of the name, then that of the literal.
func Keys(name string) []string { return []string{Key(name), ValueKey(name)} }

// KeyOf is the key of a mention of that kind.
func KeyOf(name, kind string) string {
	if kind == graph.KindValue {
		return ValueKey(name)
	}
	return Key(name)
}

// amount is a number with what may stand around it: a currency before, a magnitude and a unit behind.
var amount = regexp.MustCompile(`^(us\$|[$€£¥]|usd|eur|gbp)? ?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?) ?(?:(thousand|million|billion|mn|bn|k|m|b)\b)? ?(usd|eur|gbp|dollars?|euros?|pounds?|[$€£¥]|%|percent|[a-z]{1,12})?$`)

var magnitudes = map[string]int64{
	"": 1, "k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9,
}

var units = map[string]string{
	"us$": "usd", "$": "usd", "dollar": "usd", "dollars": "usd", "€": "eur", "euro": "eur", "euros": "eur",
	"£": "gbp", "pound": "gbp", "pounds": "gbp", "¥": "jpy", "percent": "%",
}

// Money reports whether a name is an amount of money, and so no name but a literal.
func Money(name string) bool {
	key, ok := amountKey(Key(name))
	_, unit, _ := strings.Cut(key, " ")
	return ok && slices.Contains(currencies, unit)
}

// currencies are the units of money.
var currencies = []string{"usd", "eur", "gbp", "jpy"}

// amountKey reads a folded text as an amount. A magnitude letter alone is read only beside a currency: "5 m" may be metres.
func amountKey(key string) (string, bool) {
	m := amount.FindStringSubmatch(key)
	if m == nil {
		return "", false
	}
	before, number, magnitude, behind := m[1], m[2], m[3], m[4]
	currency := func(unit string) string {
		if u, ok := units[unit]; ok {
			return u
		}
		return unit
	}
	unit := currency(behind)
	if before != "" {
		if unit != "" && unit != currency(before) {
			return "", false
		}
		unit = currency(before)
	}
	if len(magnitude) == 1 && before == "" && (unit == "" || !slices.Contains(currencies, unit)) {
		return "", false
	}
	value, ok := new(big.Rat).SetString(strings.ReplaceAll(number, ",", ""))
	if !ok {
		return "", false
	}
	value.Mul(value, new(big.Rat).SetInt64(magnitudes[magnitude]))
	return strings.TrimSpace(value.RatString() + " " + unit), true
}
