package local

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func TestFilesAreThoseOfTheReadme(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"minilm.bin": {weightsFile, "a479504ab2ce6c3eef0436119bd1205db4890c63001b6ef17b52fc33ed868555"},
		"vocab.txt":  {vocabularyFile, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"},
	} {
		hash := sha256.Sum256([]byte(c.file))
		if got := hex.EncodeToString(hash[:]); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestParseChecksTheFile(t *testing.T) {
	const firstWeight = 16 + vocabularySize*(4+width) + positions*(4+width) + 2*4*width + 3*4*width
	broken := func(at int, b byte) string { return weightsFile[:at] + string([]byte{b}) + weightsFile[at+1:] }
	for name, file := range map[string]string{
		"empty":                 "",
		"a header alone":        weightsFile[:16],
		"another magic":         broken(0, 'X'),
		"no layers":             broken(4, 0),
		"a layer too many":      broken(4, 7),
		"too many layers":       broken(7, 1),
		"weights that saturate": broken(8, 65),
		"a weight beyond":       broken(firstWeight, 65),
		"a byte too few":        weightsFile[:len(weightsFile)-1],
		"a byte too many":       weightsFile + "x",
	} {
		if _, err := parse(file); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := parse(strings.Clone(weightsFile)); err != nil {
		t.Errorf("the file itself: %v", err)
	}
}
