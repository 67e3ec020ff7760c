// Package retrieval is the read path: it finds, dates, ranks and packs what the memory holds.
package retrieval
