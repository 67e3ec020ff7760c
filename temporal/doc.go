// Package temporal is the algebra of time: instants, half-open periods and as-of points.
//
// A fact has two periods, one on each axis: valid time (when it is true in the world) and transaction time (when the
// memory held it). Both are half-open, [From, To): the instant a period ends at is the first that is outside it, so
// that a period and the one that takes its place [Period.Meets] without sharing an instant or leaving one out.
//
// Caveats:
//   - The zero [Instant] is no time. It is unknown as a begin and open as an end; the zero [Period] is therefore "always".
//   - [Forever] is what an open end counts as in comparisons. It is never stored, nor written to the wire.
//   - Instants are exact to the microsecond. Anything finer is floored at the border, by [At] and the parsers.
package temporal
