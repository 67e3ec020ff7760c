// Package retrieval is the read path: it finds, dates, ranks and packs what the memory holds.
//
// Every request fixes its as-of once: a valid time (now, unless it says otherwise) and a transaction time (the latest). Windows
// and transaction times filter; they never merely weigh. A scope's includes are read along by recall, ask's fallback,
// follow and graph, at the same transaction time, and are joined to the scope by the names and aliases of entities.
//
// A recall goes through arms that each add candidates, and then treats all candidates alike:
//
//   - similarity: how much of the question the candidate covers, in absolute terms (measure.go);
//   - walk: how near it hangs to a candidate that is related to the question (spread.go);
//   - recency and importance, and from these the score (score.go), which alone decides the order.
//
// What is below the floor of both similarity and walk is not returned, so an unrelated question gets nothing. Another way of
// finding, such as by vectors, is another arm; another signal of similarity belongs into the same absolute scale.
package retrieval
