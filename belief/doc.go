// Package belief reads what a log gives: the facts that its lanes support, with their sources, and the difference that each change made.
package belief
