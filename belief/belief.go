package belief

import "tenure/graph"

// Difference is a change with what it did to the windows of the lanes it touched.
type Difference struct {
	graph.Change
	Begun   []graph.Fact // new windows
	Ended   []graph.Fact // windows closed or gone, as they were before
	Changed []Pair       // windows extended, resumed, split or otherwise altered
}

// Pair is a window before and after a change.
type Pair struct{ Before, After graph.Fact }
