// Package rules reads plain English statements without a model: offline, the same answer always, and nothing rather than
// something doubtful.
//
// What it reads is data: the patterns of the predicates (facts/predicates.yaml, docs/extraction.md) and the words of
// lexicon.txt. What all patterns share is code: sentences and clauses, tense and negation, dates, who is meant, and what
// is no statement at all (questions, conditions, hearsay, quotations).
package rules
