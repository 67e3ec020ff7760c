package embedding

// Calibration says what the cosines of one model mean: each model has its own, and none carries over to another.
type Calibration struct {
	// Floor is the cosine up to which a question and a text count as unrelated.
	Floor float64
	// Full is the cosine from which a text counts as being about just what the question asks.
	Full float64
	// Duplicate is the cosine from which two texts may say the same thing twice. A vector hardly sees a changed number or name,
	// so that texts this near are duplicates only if nothing else tells them apart.
	Duplicate float64
}

// Similarity maps the cosine of a question and a text to [0,1], the same scale for all models:
// 0 up to Floor, 1 from Full, linear between. What is not a number is 0.
func (c Calibration) Similarity(cosine float64) float64 {
	s := (cosine - c.Floor) / (c.Full - c.Floor)
	if !(s > 0) {
		return 0
	}
	return min(s, 1)
}
