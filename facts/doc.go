// Package facts decides what a claim does to the facts held.
package facts
