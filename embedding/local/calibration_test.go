package local

import "testing"

func TestCalibrationIsThatOfTheMeasuredPairs(t *testing.T) {
	m, c := open(t), calibration
	var questions, texts []string
	for _, pair := range readJSON[[]struct{ Question, Text string }](t, "testdata/calibration.json") {
		questions, texts = append(questions, pair.Question), append(texts, pair.Text)
	}
	asked, told := embed(t, m, questions...), embed(t, m, texts...)
	var unrelated, aboveFloor, belowFloor, aboveFull float64
	for i, q := range asked {
		for j, v := range told {
			cos := cosine(q, v)
			switch {
			case i != j:
				unrelated++
				aboveFloor += number(cos > c.Floor)
			default:
				belowFloor += number(cos <= c.Floor)
				aboveFull += number(cos >= c.Full)
			}
		}
	}
	n := float64(len(texts))
	t.Logf("unrelated above floor %.3f; answers below floor %.3f, above full %.3f", aboveFloor/unrelated, belowFloor/n, aboveFull/n)
	if aboveFloor/unrelated > 0.05 || belowFloor/n > 0.08 || aboveFull/n < 0.025 || aboveFull/n > 0.075 {
		t.Error("the calibration is not that of the model")
	}
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestDuplicatesAreThoseOfTheComment(t *testing.T) {
	m := open(t)
	for _, c := range []struct {
		a, b string
		near bool
	}{
		{"Globex is on the Pro plan.", "Globex is on the Pro plan", true},
		{"Ann lives in Oslo.", "Ann lives in Oslo now.", true},
		{"Globex is on the Pro plan.", "Globex is on the Basic plan.", false},
		{"Ann lives in Oslo.", "Anna lives in Oslo.", false},
		{"The user likes tea.", "The user doesn't like tea.", false},
		{"Invoice 4711: 120 seats at $18.50, net 30 days.", "Invoice 4712: 120 seats at $18.50, net 30 days.", true},
	} {
		v := embed(t, m, c.a, c.b)
		if cos := cosine(v[0], v[1]); cos >= calibration.Duplicate != c.near {
			t.Errorf("%q and %q: cosine %.3f", c.a, c.b, cos)
		}
	}
}
