package dev.medley.training.factor;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.exchange.Collective;
import dev.medley.tensor.factor.AlternatingSolver;
import dev.medley.tensor.factor.FactorLearner;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Strategy;
import dev.medley.training.strategy.Update;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Trains a factorisation by alternating least squares: a step solves the rows of all users, the
 * next one those of all items. Each member solves the rows whose ratings it has, in proportion to
 * its share, and all tell each other; while a block of rows travels the next one is solved. As a
 * row follows from its own ratings alone, any workers come to the same bits.
 */
public final class AlternatingRounds implements Strategy {
    private final FactorLearner learner;
    private final AlternatingSolver solver;
    private @Nullable Plan plan;
    private @Nullable Collective collective;
    private float[] solved = {};
    private int side;

    /** A strategy for one member. */
    public AlternatingRounds(FactorLearner learner, AlternatingSolver solver) {
        this.learner = learner;
        this.solver = solver;
    }

    @Override
    public void planned(Plan next) {
        plan = next;
    }

    @Override
    public void formed(Group group) {
        throw new IllegalStateException("rows need a group that exchanges");
    }

    @Override
    public void formed(Group group, Collective with) {
        collective = with;
    }

    /** It reads its rows by itself, and once. */
    @Override
    public boolean takesBatches() {
        return false;
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets) {
        side = (int) ((part.step() - 1) % 2);
        List<Integer> shares = Objects.requireNonNull(plan, "no plan").shares();
        solver.deal(shares, part.rank());
        solver.begin(side);
        int stride = learner.stride();
        solved = new float[Math.multiplyExact(solver.codes(side), stride)];
        int[] cuts = solver.cuts(side, shares);
        int longest = 0;
        for (int rank = 0; rank < shares.size(); rank++) {
            longest = Math.max(longest, cuts[rank + 1] - cuts[rank]);
        }
        Collective all = Objects.requireNonNull(collective, "no group");
        int block = Math.min(longest, learner.solvedAtOnce(shares.size()));
        StepLoss loss = StepLoss.NONE;
        for (int from = 0; from < longest; from += block) {
            int first = Math.min(cuts[part.rank()] + from, cuts[part.rank() + 1]);
            int end = Math.min(first + block, cuts[part.rank() + 1]);
            for (int code = first; code < end; code++) {
                loss = loss.plus(solver.solve(side, code, solved, code * stride));
            }
            if (shares.size() > 1 && told(all, cuts, from, block, part.rank()) != null) {
                return null;
            }
        }
        return loss;
    }

    /** All tell each other a block of theirs; a rank's rows lie where all others have zeros. */
    private @Nullable Fault told(Collective all, int[] cuts, int from, int block, int own) {
        int ranks = cuts.length - 1;
        int stride = learner.stride();
        long bytes = (long) ranks * block * stride * Float.BYTES;
        learner.exchange().slice(0, bytes).clear();
        FloatBuffer memory = learner.exchange().slice(0, bytes).buffer().asFloatBuffer();
        int first = Math.min(cuts[own] + from, cuts[own + 1]);
        int count = Math.min(block, cuts[own + 1] - first);
        memory.put(own * block * stride, solved, first * stride, count * stride);
        all.sum(learner.exchangeOffset(), bytes, ElementType.FLOAT32);
        Fault fault = all.await();
        for (int rank = 0; fault == null && rank < ranks; rank++) {
            int at = Math.min(cuts[rank] + from, cuts[rank + 1]);
            int rows = Math.min(block, cuts[rank + 1] - at);
            memory.get(rank * block * stride, solved, at * stride, rows * stride);
        }
        return fault;
    }

    @Override
    public Update update(Part part, Tail tail) {
        return new Update() {
            @Override
            public void run() {
                for (int code = 0; code < solver.codes(side); code++) {
                    learner.write(solver.row(side, code), solved, code * learner.stride());
                }
            }

            @Override
            public double learningRateFactor() {
                return 1;
            }

            @Override
            public double gradientNorm() {
                return Double.NaN;
            }
        };
    }

    @Override
    public void discarded() {
        // Nothing moves before an update runs.
    }

    @Override
    public List<NamedSpan> state() {
        return List.of();
    }

    @Override
    public long bytes() {
        return 0;
    }

    @Override
    public void close() {
        // Holds no native memory.
    }
}
