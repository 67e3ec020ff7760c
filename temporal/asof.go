package temporal

// AsOf is the pair of points a read is made at: what was held to be true of Valid, by what was known at Tx.
type AsOf struct {
	Valid Instant
	Any   bool // no filter on valid time; Valid is ignored
	Tx    Instant
}

// Sees reports whether something that is true over valid and was known over tx is seen at a.
func (a AsOf) Sees(valid, tx Period) bool {
	return (a.Any || valid.Contains(a.Valid)) && tx.Contains(a.Tx)
}
