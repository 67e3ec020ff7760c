package temporal_test

import (
	"testing"

	"tenure/temporal"
)

func TestAsOfSees(t *testing.T) {
	valid, tx := temporal.Period{From: 10, To: 20}, temporal.Period{From: 30, To: 40}
	for _, tt := range []struct {
		name string
		asOf temporal.AsOf
		want bool
	}{
		{"inside both", temporal.AsOf{Valid: 15, Tx: 35}, true},
		{"at both begins", temporal.AsOf{Valid: 10, Tx: 30}, true},
		{"before it was true", temporal.AsOf{Valid: 9, Tx: 35}, false},
		{"at the end of its truth", temporal.AsOf{Valid: 20, Tx: 35}, false},
		{"before it was known", temporal.AsOf{Valid: 15, Tx: 29}, false},
		{"when it was no longer held", temporal.AsOf{Valid: 15, Tx: 40}, false},
		{"axes crossed", temporal.AsOf{Valid: 35, Tx: 15}, false},
		{"at any valid time", temporal.AsOf{Any: true, Tx: 35}, true},
		{"at any valid time, whatever Valid is", temporal.AsOf{Valid: 99, Any: true, Tx: 35}, true},
		{"at any valid time, before it was known", temporal.AsOf{Any: true, Tx: 29}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.asOf.Sees(valid, tx); got != tt.want {
				t.Errorf("%v sees = %v, want %v", tt.asOf, got, tt.want)
			}
		})
	}

	t.Run("open and unknown bounds", func(t *testing.T) {
		always := temporal.Period{}
		if !(temporal.AsOf{Valid: temporal.At(lastTime), Tx: temporal.At(firstTime)}).Sees(always, always) {
			t.Error("what always held is not seen")
		}
	})
}
