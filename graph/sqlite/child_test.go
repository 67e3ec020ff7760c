package sqlite

// childMain runs what a test has started this binary again for, and reports whether it was started so.
func childMain() bool { return false }
