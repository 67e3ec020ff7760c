// Package graphtest is the conformance suite of graph.Store: scripts, random histories against a reference model, and the contract sentence by sentence.
package graphtest
