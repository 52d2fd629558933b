package dev.medley.training.factor;

import dev.medley.base.Fault;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.tensor.factor.DealtRows;
import dev.medley.tensor.factor.FactorLearner;
import dev.medley.tensor.factor.FetchedRows;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fetches rows from their owners. All members call it together, each with what it needs, which may
 * be nothing: they sum how many rows each asks of each, then codes and rows travel between two
 * members at a time. A row costs 4 bytes to ask for and 4 (rank + 1) to answer, and travels once.
 */
final class RowFetch {
    private final FactorLearner learner;
    private final Collective all;
    private Span codes = Span.allocate(0);
    private Span answer = Span.allocate(0);

    RowFetch(FactorLearner learner, Collective all) {
        this.learner = learner;
        this.all = all;
    }

    /** What it holds from call to call. */
    long bytes() {
        return codes.bytes() + answer.bytes();
    }

    /**
     * Fills the rows.
     *
     * @param wanted rows to be filled, by their codes
     * @param own rows that this member owns
     * @param cuts first code of each rank, and behind them the number of codes
     * @return the fault that ended the group, or null
     */
    @Nullable Fault fetch(FetchedRows wanted, DealtRows own, int[] cuts) {
        int rank = all.rank();
        int ranks = all.size();
        int begin = wanted.place(cuts[rank]);
        int end = wanted.place(cuts[rank + 1]);
        float[] row = new float[learner.stride()];
        for (int place = begin; place < end; place++) {
            own.read(wanted.codes()[place], row);
            wanted.put(place, row);
        }
        if (ranks == 1) {
            return null;
        }
        int[] counts = new int[ranks * ranks];
        Fault fault = tell(wanted, cuts, counts);
        for (int shift = 1; shift < ranks; shift++) {
            for (int asker = 0; asker < ranks && fault == null; asker++) {
                int owner = (asker + shift) % ranks;
                int count = counts[asker * ranks + owner];
                if (count > 0 && (rank == asker || rank == owner)) {
                    fault = rank == asker ? ask(wanted, cuts[owner], count, owner) : null;
                    fault = rank == owner ? give(own, count, asker) : fault;
                } else if (count > 0) {
                    fault = passBy(asker, owner);
                }
            }
        }
        return fault;
    }

    /** Each member tells how many rows it asks of each other. */
    private @Nullable Fault tell(FetchedRows wanted, int[] cuts, int[] counts) {
        int ranks = all.size();
        long bytes = (long) counts.length * Double.BYTES;
        learner.exchange().slice(0, bytes).clear();
        DoubleBuffer told = learner.exchange().slice(0, bytes).buffer().asDoubleBuffer();
        for (int owner = 0; owner < ranks; owner++) {
            int count = wanted.place(cuts[owner + 1]) - wanted.place(cuts[owner]);
            told.put(all.rank() * ranks + owner, owner == all.rank() ? 0 : count);
        }
        all.sum(learner.exchangeOffset(), bytes, ElementType.FLOAT64);
        Fault fault = all.await();
        for (int i = 0; fault == null && i < counts.length; i++) {
            counts[i] = (int) told.get(i);
        }
        return fault;
    }

    private @Nullable Fault ask(FetchedRows wanted, int firstCode, int count, int owner) {
        int place = wanted.place(firstCode);
        Span asked = codes(count);
        asked.buffer().asIntBuffer().put(wanted.codes(), place, count);
        Fault fault = all.copy(all.rank(), Set.of(owner), List.of(asked));
        if (fault != null) {
            return fault;
        }
        Span given = answer(count);
        fault = all.copy(owner, Set.of(all.rank()), List.of(given));
        if (fault == null) {
            wanted.take(place, count, given.buffer().asFloatBuffer());
        }
        return fault;
    }

    private @Nullable Fault give(DealtRows own, int count, int asker) {
        Span asked = codes(count);
        Fault fault = all.copy(asker, Set.of(all.rank()), List.of(asked));
        if (fault != null) {
            return fault;
        }
        Span given = answer(count);
        IntBuffer rows = asked.buffer().asIntBuffer();
        var into = given.buffer().asFloatBuffer();
        float[] row = new float[learner.stride()];
        for (int i = 0; i < count; i++) {
            own.read(rows.get(i), row);
            into.put(row);
        }
        return all.copy(all.rank(), Set.of(asker), List.of(given));
    }

    /** Copies are numbered: those between others count. */
    private @Nullable Fault passBy(int asker, int owner) {
        Fault fault = all.copy(asker, Set.of(owner), List.of());
        return fault != null ? fault : all.copy(owner, Set.of(asker), List.of());
    }

    private Span codes(int count) {
        long bytes = (long) count * Integer.BYTES;
        codes = codes.bytes() < bytes ? Span.allocate(bytes) : codes;
        return codes.slice(0, bytes);
    }

    private Span answer(int count) {
        long bytes = (long) count * learner.stride() * Float.BYTES;
        answer = answer.bytes() < bytes ? Span.allocate(bytes) : answer;
        return answer.slice(0, bytes);
    }
}
