// Package facts decides what a claim does to the facts held.
//
// Claims are logged for ever and never change. Where one counts is a placement in a lane, which follows from the log
// ([Life]); what holds in a lane is a function of the placements that count there ([Believe]); and a window becomes a fact
// with the words of its claims and of the predicate's declaration ([Content]). Nothing else decides what is believed: there
// is no store, no model and no clock here, only values, and the same values always give the same answer.
package facts
