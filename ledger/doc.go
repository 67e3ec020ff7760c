// Package ledger applies operations to a scope's log: it logs claims and effects, and writes the difference in what is believed.
package ledger
