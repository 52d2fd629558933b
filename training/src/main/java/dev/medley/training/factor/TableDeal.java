package dev.medley.training.factor;

import dev.medley.base.ConfigException;
import dev.medley.base.Fault;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.tensor.factor.AlternatingSolver;
import dev.medley.tensor.factor.DealtRows;
import dev.medley.tensor.factor.FactorLearner;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves rows between the whole tables, which lie in files of the members that keep them, and the
 * parts that members own in memory: block by block, so that nobody holds more than its part and a
 * block. The members of the lowest ranks keep the whole.
 */
final class TableDeal {
    /** Members that keep the whole: one may be lost. */
    static final int KEEPERS = 2;

    private final FactorLearner learner;
    private final AlternatingSolver solver;
    private final int blockBytes;

    TableDeal(FactorLearner learner, AlternatingSolver solver, int blockBytes) {
        this.learner = learner;
        this.solver = solver;
        this.blockBytes = blockBytes;
    }

    /**
     * Brings the whole to the members that are to keep it, and to each the rows that it owns.
     *
     * @param hasWhole whether this member's file is the state of the group
     * @param own rows to be filled, of both sides
     * @param cuts first codes of each rank, of both sides
     * @return the fault that ended the group, or null
     * @throws ConfigException if no member has the whole
     */
    @Nullable Fault deal(Collective all, boolean hasWhole, DealtRows[] own, int[][] cuts) {
        int ranks = all.size();
        boolean[] whole = {hasWhole};
        if (ranks > 1) {
            whole = new boolean[ranks];
            Fault fault = tell(all, hasWhole, whole);
            if (fault != null) {
                return fault;
            }
        }
        int source = 0;
        while (source < ranks && !whole[source]) {
            source++;
        }
        ConfigException.check(
                source < ranks,
                "the workers that kept the tables of factors are gone: with model.tables=dealt one"
                        + " of two may be lost at a time. Go on with --resume from the last"
                        + " checkpoint");
        Fault fault = bringWhole(all, source, whole);
        for (int side = 0; side < 2 && fault == null; side++) {
            for (int rank = 0; rank < ranks && fault == null; rank++) {
                if (!whole[rank]) {
                    fault = bringRows(all, source, rank, side, own[side], cuts[side]);
                } else if (rank == all.rank()) {
                    fill(side, own[side]);
                }
            }
        }
        return fault;
    }

    private @Nullable Fault tell(Collective all, boolean hasWhole, boolean[] whole) {
        long bytes = (long) whole.length * Double.BYTES;
        learner.exchange().slice(0, bytes).clear();
        DoubleBuffer told = learner.exchange().slice(0, bytes).buffer().asDoubleBuffer();
        told.put(all.rank(), hasWhole ? 1 : 0);
        all.sum(learner.exchangeOffset(), bytes, ElementType.FLOAT64);
        Fault fault = all.await();
        for (int rank = 0; fault == null && rank < whole.length; rank++) {
            whole[rank] = told.get(rank) > 0;
        }
        return fault;
    }

    /** From file to file; those that have it then are marked. */
    private @Nullable Fault bringWhole(Collective all, int source, boolean[] whole) {
        Set<Integer> lacking = new HashSet<>();
        for (int rank = 0; rank < Math.min(KEEPERS, whole.length); rank++) {
            if (!whole[rank]) {
                lacking.add(rank);
            }
        }
        if (lacking.isEmpty()) {
            return null;
        }
        Fault fault = all.copy(source, lacking, List.of(learner.parameters()));
        lacking.forEach(rank -> whole[rank] = true);
        return fault;
    }

    private void fill(int side, DealtRows own) {
        float[] row = new float[learner.stride()];
        for (int code = own.first(); code < own.end(); code++) {
            learner.read(solver.row(side, code), row, 0);
            own.write(code, row);
        }
    }

    private @Nullable Fault bringRows(
            Collective all, int source, int to, int side, DealtRows own, int[] cuts) {
        int most = rowsAtOnce();
        float[] row = new float[learner.stride()];
        for (int first = cuts[to]; first < cuts[to + 1]; first += most) {
            int end = Math.min(first + most, cuts[to + 1]);
            Span block = Span.allocate(0);
            if (all.rank() == source) {
                block = Span.allocate((long) (end - first) * learner.stride() * Float.BYTES);
                FloatBuffer into = block.buffer().asFloatBuffer();
                for (int code = first; code < end; code++) {
                    learner.read(solver.row(side, code), row, 0);
                    into.put(row);
                }
            } else if (all.rank() == to) {
                block = own.slice(first, end);
            }
            Fault fault = all.copy(source, Set.of(to), List.of(block));
            if (fault != null) {
                return fault;
            }
        }
        return null;
    }

    private int rowsAtOnce() {
        return Math.max(1, blockBytes / (learner.stride() * Float.BYTES));
    }

    /**
     * Brings the rows of a side from their owners to the members that keep the whole.
     *
     * @param staged where those put them, row behind row; empty on the others
     */
    @Nullable Fault gather(Collective all, DealtRows own, int[] cuts, Span staged) {
        long rowBytes = (long) learner.stride() * Float.BYTES;
        for (int owner = 0; owner < all.size(); owner++) {
            Set<Integer> keepers = new HashSet<>();
            for (int rank = 0; rank < Math.min(KEEPERS, all.size()); rank++) {
                if (rank != owner) {
                    keepers.add(rank);
                }
            }
            long rows = cuts[owner + 1] - cuts[owner];
            boolean isOwner = all.rank() == owner;
            Span part = isOwner ? own.slice(own.first(), own.end()) : Span.allocate(0);
            if (all.rank() < KEEPERS) {
                Span place = staged.slice(cuts[owner] * rowBytes, rows * rowBytes);
                if (isOwner) {
                    place.copyFrom(part);
                }
                part = isOwner ? part : place;
            }
            if (rows > 0 && !keepers.isEmpty()) {
                Fault fault = all.copy(owner, keepers, List.of(part));
                if (fault != null) {
                    return fault;
                }
            }
        }
        return null;
    }
}
