// Package graph names what the memory holds and what a store of it must do.
//
// The nouns: a [Scope] is one isolated memory. An [Episode] is one piece of raw input. An [Entity] is a thing with a name.
// A [Claim] is what somebody said about two entities; it is logged for ever and never changes. A [Placement] says where a
// claim counts, a [Version] is a window that was believed because of it, and a [Change] is the operation that made the
// difference. A [Fact] is what a reader sees: a version with the claims that support it.
//
// The log is the truth: claims, the [Effect] that later operations had on them, declarations and merges. Placements follow
// from the log, versions follow from placements (facts.Believe), and both are kept because reads need them.
package graph
