package ingest

import (
	"context"
	"errors"
	"slices"

	"tenure/belief"
	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// replay answers a request that carried the same idempotency key before: the same answer for the same request, ErrConflict for another.
func (s *Service) replay(ctx context.Context, w graph.Writer, who Caller, hash string) (Answer, bool, error) {
	receipt, ok, err := receiptOf(ctx, w, who, hash)
	if err != nil || !ok {
		return Answer{}, false, err
	}
	answer := Answer{Tx: receipt.Tx}
	for _, r := range receipt.Results {
		result := Result{Outcome: Outcome(r.Outcome), Claim: r.Claim, Change: r.Change}
		shown, err := s.recall(ctx, w, receipt.Tx, append([]graph.Seen{r.Fact}, r.Ended...))
		if err != nil {
			return Answer{}, false, err
		}
		if f, ok := shown[r.Fact]; ok {
			result.Fact = &f
		}
		for _, seen := range r.Ended {
			if f, ok := shown[seen]; ok {
				result.Ended = append(result.Ended, f)
			}
		}
		answer.Results = append(answer.Results, result)
	}
	return answer, true, nil
}

// receiptOf reads the receipt of the caller's key. A key that another request carried is ErrConflict.
func receiptOf(ctx context.Context, w graph.Writer, who Caller, hash string) (graph.Receipt, bool, error) {
	if who.Key == "" {
		return graph.Receipt{}, false, nil
	}
	receipt, err := w.Receipt(ctx, who.Key)
	if errors.Is(err, graph.ErrNotFound) {
		return graph.Receipt{}, false, nil
	}
	if err != nil {
		return graph.Receipt{}, false, err
	}
	if receipt.Hash != hash {
		return graph.Receipt{}, false, graph.Conflict("another request carried this Idempotency-Key: use a new one")
	}
	return receipt, true, nil
}

// recall dresses the versions that an answer showed, as of that answer. Those erased since are left out.
func (s *Service) recall(ctx context.Context, w graph.Writer, tx temporal.Instant, seen []graph.Seen) (map[graph.Seen]graph.Fact, error) {
	var ids []graph.ClaimID
	for _, x := range seen {
		ids = append(ids, x.Fact)
	}
	held, err := w.VersionsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	var versions []graph.Version
	for _, v := range held {
		if !slices.ContainsFunc(seen, func(x graph.Seen) bool { return x.Version == v.ID }) {
			continue
		}
		if v.Tx.To > tx {
			v.Tx.To, v.Ended = 0, "" // it ended later than that answer
		}
		versions = append(versions, v)
	}
	dressed, err := belief.Dress(ctx, w, versions, temporal.AsOf{Valid: max(s.clock.Now(), tx), Any: true, Tx: tx})
	if err != nil {
		return nil, err
	}
	out := map[graph.Seen]graph.Fact{}
	for _, f := range dressed {
		out[graph.Seen{Fact: f.Version.Fact, Version: f.ID}] = f
	}
	return out, nil
}

// remember writes the receipt of a request that carries a key.
func (s *Service) remember(ctx context.Context, w graph.Writer, session *ledger.Session, who Caller, hash string, results []ledger.Result) error {
	if who.Key == "" {
		return nil
	}
	receipt := graph.Receipt{Key: who.Key, Hash: hash, Tx: w.Now()}
	seen := func(v graph.Version) graph.Seen {
		settled := session.Settled(v)
		return graph.Seen{Fact: settled.Fact, Version: settled.ID}
	}
	for _, r := range results {
		x := graph.ReceiptResult{Outcome: string(r.Outcome), Claim: r.Claim, Change: r.Change}
		if r.Fact != nil {
			x.Fact = seen(*r.Fact)
		}
		for _, v := range r.Ended {
			x.Ended = append(x.Ended, seen(v))
		}
		receipt.Results = append(receipt.Results, x)
	}
	return w.Write(ctx, graph.Delta{Receipts: []graph.Receipt{receipt}})
}
