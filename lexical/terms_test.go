package lexical_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tenure/lexical"
)

type textCase struct {
	name, text string
	want       []string
}

func checkTexts(t *testing.T, f func(string) []string, cases []textCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, f(c.text), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%+q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

func TestTerms(t *testing.T) {
	checkTexts(t, lexical.Terms, []textCase{
		{"empty", "", nil},
		{"only spaces", " \t\n\u00a0\u3000", nil},
		{"only punctuation", "?! -- … «»", nil},
		{"english", "Caroline is moving to Lisbon", []string{"carolin", "move", "lisbon"}},
		{"in order, repeated", "tea coffee tea", []string{"tea", "coffe", "tea"}},
		{"plural", "cat cats", []string{"cat", "cat"}},
		{"plural with an accent", "café cafés", []string{"café", "café"}},
		{"two letters are not stemmed", "is us as os", []string{"us", "os"}},
		{"only stop words", "To be, or not to be", []string{"to", "be", "or", "not", "to", "be"}},
		{"only stop words, contracted", "Don't you?", []string{"dont", "you"}},
		{"names and months are not stop words", "Will met May", []string{"will", "met", "may"}},
		{"programming languages", "C++, C#", []string{"c", "c"}},
		{"dangling hyphen", "tb-", []string{"tb"}},
		{"path", `C:\a\b`, []string{"c", "b"}},
		{"snake case", "snake_case", []string{"snake", "case"}},
		{"digits", "2024-05-01 gpt4 1990s", []string{"2024", "05", "01", "gpt4", "1990s"}},
		{"letters with digits are not stemmed", "x1running", []string{"x1running"}},
		{"other scripts are not stemmed", "книги кошками", []string{"книги", "кошками"}},
		{"stop words beside han", "the 猫 is", []string{"猫"}},
	})
}

func TestWords(t *testing.T) {
	checkTexts(t, lexical.Words, []textCase{
		{"stop words kept, nothing stemmed", "The Cats are moving", []string{"the", "cats", "are", "moving"}},
		{"possessive", "Ada's cats' toys", []string{"ada", "cats", "toys"}},
		{"curly apostrophes", "Ada’s Ada‛s Adaʼs", []string{"ada", "ada", "ada"}},
		{"contracted verbs", "they've I'm you're we'll he'd it's", []string{"they", "i", "you", "we", "he", "it"}},
		{"contracted not", "don't can’t", []string{"dont", "cant"}},
		{"apostrophe in a name", "O'Brien l'avion", []string{"o", "brien", "l", "avion"}},
		{"other t", "wan't to'", []string{"want", "to"}},
		{"t after another letter", "it't", []string{"it", "t"}},
		{"quotation", "'tis 'so'", []string{"tis", "so"}},
		{"composed accent", "caf\u00e9 Zo\u00eb", []string{"caf\u00e9", "zo\u00eb"}},
		{"decomposed accent", "cafe\u0301 Zoe\u0308", []string{"caf\u00e9", "zo\u00eb"}},
		{"capital accent", "E\u0301COLE", []string{"\u00e9cole"}},
		{"ligature", "\ufb01ne o\ufb03ce", []string{"fine", "office"}},
		{"sharp s", "Straße STRASSE", []string{"strasse", "strasse"}},
		{"final sigma", "ΟΔΟΣ οδός", []string{"οδοσ", "οδόσ"}},
		{"turkish capital", "İstanbul I\u0307\u0307zmir", []string{"istanbul", "izmir"}},
		{"full width", "ＡＢＣ１２", []string{"abc12"}},
		{"capitals in a compatible character", "㎒", []string{"mhz"}},
		{"folded into parts and composed again", "\u0390 \u1fe3", []string{"\u0390", "\u03b0"}},
		{"trade mark", "Tenure™ Tenure℠ Tenure® Tenure", []string{"tenure", "tenure", "tenure", "tenure"}},
		{"combining mark no letter has", "x\u0302y", []string{"x\u0302y"}},
		{"marks on many letters", strings.Repeat("я\u0302", 12), []string{strings.Repeat("я\u0302", 12)}},
		{"mark without a letter", "\u0301 -\u0301a", []string{"a"}},
		{"marks without end", "e" + strings.Repeat("\u0323", 5000), []string{"\u1eb9" + strings.Repeat("\u0323", 7)}},
		{"soft hyphen and joiners", "co\u00adop zero\u200dwidth\ufeff", []string{"coop", "zerowidth"}},
		{"blank letters and joiners of marks", "a\u3164b c\u034fd", []string{"ab", "cd"}},
		{"zero width space", "zero\u200bwidth", []string{"zero", "width"}},
		{"only invisible", "\u200b\u200d\ufeff\u200e\ufe0f", nil},
		{"cherokee", "ᏣᎳᎩ ꮳꮃꭹ", []string{"ꮳꮃꭹ", "ꮳꮃꭹ"}},
		{"hebrew between marks of direction", "\u200fשלום\u200e עולם", []string{"שלום", "עולם"}},
		{"arabic", "مرحبا، بالعالم", []string{"مرحبا", "بالعالم"}},
		{"devanagari", "नमस्ते दुनिया", []string{"नमस्ते", "दुनिया"}},
		{"han", "東京都", []string{"東京", "京都"}},
		{"lone han", "猫", []string{"猫"}},
		{"han and latin", "iPhone手机3月", []string{"iphone", "手机", "3", "月"}},
		{"han numerals", "二〇二四", []string{"二〇", "〇二", "二四"}},
		{"japanese", "コーヒーを飲む", []string{"コー", "ーヒ", "ヒー", "ーを", "を飲", "飲む"}},
		{"half-width katakana", "ｶﾞｽ", []string{"ガス"}},
		{"thai keeps marks on their letters", "ที่นี่มี", []string{"ที่นี่", "นี่มี"}},
		{"thai digits", "ปี๒๕๖๗", []string{"ปี", "๒๕๖๗"}},
		{"hangul", "서울에서", []string{"서울", "울에", "에서"}},
		{"hangul in parts", "\u1112\u1161\u11ab\u1100\u1173\u11af", []string{"한글"}},
		{"emoji", "🎉🎂", []string{"🎉", "🎂"}},
		{"emoji in a text", "happy🎂day ❤️!", []string{"happy", "🎂", "day", "❤"}},
		{"skin tones are alike", "👍🏽👍", []string{"👍", "👍"}},
		{"joined emoji", "👩‍💻", []string{"👩", "💻"}},
		{"flag", "🇩🇪", []string{"🇩", "🇪"}},
		{"keycap", "1️⃣", []string{"1"}},
		{"lines and signs", "│─ 20° © ■▶", []string{"20", "■", "▶"}},
		{"invalid bytes", "a\xffb\xc3", []string{"a", "b"}},
		{"replacement and nul", "a\ufffdb\x00c", []string{"a", "b", "c"}},
	})
}

func TestLongWordsAreCut(t *testing.T) {
	for name, c := range map[string]struct {
		word string
		want []int
	}{
		"64 letters":      {strings.Repeat("x", 64), []int{64}},
		"65 letters":      {strings.Repeat("x", 65), []int{64, 1}},
		"64 accents":      {strings.Repeat("é", 64), []int{64}},
		"a blob":          {strings.Repeat("0a", 100), []int{64, 64, 64, 8}},
		"marks not cut":   {strings.Repeat("x\u0302", 65), []int{128, 2}},
		"long in a text?": {"a " + strings.Repeat("y", 70) + " b", []int{1, 64, 6, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []int
			for _, w := range lexical.Words(c.word) {
				got = append(got, utf8.RuneCountInString(w))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("lengths %v, want %v", got, c.want)
			}
		})
	}
}

func TestLongText(t *testing.T) {
	text := strings.Repeat("Moving the Cats ", 10_000)
	terms := lexical.Terms(text)
	if want := slices.Repeat([]string{"move", "cat"}, 10_000); !slices.Equal(terms, want) {
		t.Errorf("%d terms that begin with %q, want %d", len(terms), terms[:min(len(terms), 3)], len(want))
	}
}

func TestAPhraseIsInTheWordsOfATextAroundIt(t *testing.T) {
	for _, c := range []struct{ text, phrase string }{
		{"I met ADA LOVELACE's son.", "Ada Lovelace"},
		{"昨日東京都に行った", "東京都"},
		{"김민수는 서울에 산다", "김민수"},
	} {
		text, phrase := lexical.Words(c.text), lexical.Words(c.phrase)
		found := false
		for i := range text {
			found = found || len(text)-i >= len(phrase) && slices.Equal(text[i:i+len(phrase)], phrase)
		}
		if !found {
			t.Errorf("%q is not in %q", phrase, text)
		}
	}
}

func TestStop(t *testing.T) {
	for word, want := range map[string]bool{
		"the": true, "The": true, "don't": true, "Don’t": true, "dont": true, "I'm": true, "it's": true,
		"Will": false, "may": false, "cat": false, "": false, "...": false, "the the": false, "猫": false,
	} {
		if got := lexical.Stop(word); got != want {
			t.Errorf("Stop(%q) = %t, want %t", word, got, want)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, seed := range []string{
		"", "The Cats' toys aren't Ada's", "C++ tb- C:\\a\\b", "e\u0301 \ufb01 ŉ İ ß ς ᾳ\u0301", "東京都 ที่นี่ 서울",
		"👩‍💻🏽 1️⃣ 🇩🇪", "\u200b\u200d\xff\xc3\ufffd\x00", "x" + strings.Repeat("\u0302\u0345", 40), strings.Repeat("ab\u0302", 70),
		"yyy 'y'y eed ing ies's n't", "\u115f\u3164\u1100\u1161", "ᏣᎳᎩ ꭰ", "\u0958\u0344\u0390",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words, terms := lexical.Words(text), lexical.Terms(text)
		for _, w := range slices.Concat(words, terms) {
			if w == "" || !utf8.ValidString(w) || strings.ContainsAny(w, " '") {
				t.Fatalf("%+q: bad word %+q", text, w)
			}
		}
		if (len(words) == 0) != (len(terms) == 0) {
			t.Fatalf("%+q: words %q but terms %q", text, words, terms)
		}
		joined := strings.Join(words, " ")
		if again := lexical.Words(joined); !slices.Equal(again, words) {
			t.Fatalf("%+q: words %+q became %+q", text, words, again)
		}
		if again := lexical.Terms(joined); !slices.Equal(again, terms) {
			t.Fatalf("%+q: terms %+q became %+q", text, terms, again)
		}
		x := lexical.New[string]()
		x.PutText("text", text)
		x.PutText("terms", strings.Join(terms, " "))
		for key, query := range map[string][]string{"text": terms, "terms": lexical.Terms(strings.Join(terms, " "))} {
			found := slices.ContainsFunc(x.Search(query, 2, nil), func(h lexical.Hit[string]) bool { return h.Key == key })
			if found != (len(terms) > 0) {
				t.Fatalf("%+q: %s found by %q: %t", text, key, query, found)
			}
		}
	})
}
