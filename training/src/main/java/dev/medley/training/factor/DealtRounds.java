package dev.medley.training.factor;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.StepTag;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.tensor.factor.AlternatingSolver;
import dev.medley.tensor.factor.DealtRows;
import dev.medley.tensor.factor.FactorLearner;
import dev.medley.tensor.factor.FetchedRows;
import dev.medley.tensor.factor.RatingBlock;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Strategy;
import dev.medley.training.strategy.Update;
import java.nio.FloatBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Trains a factorisation by alternating least squares whose tables are dealt out: each member owns
 * the rows that it solves, and fetches those of the other side block by block, as its ratings touch
 * them. Two members keep the whole in files, which are the state of the run: from there comes what
 * a group begins with. Bits are those of {@link AlternatingRounds}.
 *
 * <p>A step solves in place. One that is discarded spoils what a member owns, and not the files;
 * the group is over then, and the next one deals out anew.
 */
public final class DealtRounds implements Strategy {
    /** Rows that are fetched at once: a member holds as much again to answer others. */
    public static final int BLOCK_BYTES = 16 << 20;

    private final FactorLearner learner;
    private final AlternatingSolver solver;
    private final TableDeal tables;
    private final int blockRatings;
    private @Nullable Plan plan;
    private @Nullable Collective collective;
    private @Nullable RowFetch fetch;
    private DealtRows[] own = {};
    private int[][] cuts = {};
    private boolean hasWhole = true; // Initial values are drawn, and a checkpoint read, by all.
    private Span staged = Span.allocate(0);
    private long mostFetchedBytes;
    private int side;

    /**
     * A strategy for one member.
     *
     * @param blockBytes of rows that are fetched at once, about
     */
    public DealtRounds(FactorLearner learner, AlternatingSolver solver, int blockBytes) {
        this.learner = learner;
        this.solver = solver;
        tables = new TableDeal(learner, solver, blockBytes);
        blockRatings = Math.max(1, blockBytes / (learner.stride() * Float.BYTES));
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

    @Override
    public boolean dealsOut() {
        return true;
    }

    @Override
    public @Nullable Fault deal(StepTag tag, Standing standing) {
        Collective all = requireCollective();
        List<Integer> shares = Objects.requireNonNull(plan, "no plan").shares();
        hasWhole &= standing == Standing.CURRENT;
        own = new DealtRows[0];
        solver.deal(shares, all.rank());
        cuts = new int[][] {solver.cuts(0, shares), solver.cuts(1, shares)};
        own = new DealtRows[] {rows(cuts[0], all.rank()), rows(cuts[1], all.rank())};
        fetch = new RowFetch(learner, all);
        all.begin(tag);
        Fault fault = tables.deal(all, hasWhole, own, cuts);
        hasWhole |= fault == null && isKeeper();
        return fault;
    }

    private DealtRows rows(int[] cut, int rank) {
        return new DealtRows(cut[rank], cut[rank + 1], learner.stride());
    }

    @Override
    public boolean hasAll() {
        return hasWhole;
    }

    @Override
    public boolean hasAll(int rank) {
        return rank < TableDeal.KEEPERS;
    }

    private boolean isKeeper() {
        return hasAll(requireCollective().rank());
    }

    private Collective requireCollective() {
        return Objects.requireNonNull(collective, "no group");
    }

    /** It reads its ratings by itself, and once. */
    @Override
    public boolean takesBatches() {
        return false;
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets) {
        side = (int) ((part.step() - 1) % 2);
        double[] gram = solver.needsGram() ? gram() : new double[0];
        StepLoss loss = gram == null ? null : solve(gram, part.rank());
        if (loss == null) {
            return null;
        }
        if (isKeeper() && staged.bytes() == 0) {
            int most = Math.max(solver.codes(0), solver.codes(1));
            staged = learner.scratch((long) most * learner.stride() * Float.BYTES);
        }
        Fault fault = tables.gather(requireCollective(), own[side], cuts[side], staged);
        return fault == null ? loss : null;
    }

    private @Nullable StepLoss solve(double[] gram, int rank) {
        RowFetch rows = Objects.requireNonNull(fetch, "nothing was dealt out");
        int[] of = cuts[side];
        int most = 0;
        for (int r = 0; r + 1 < of.length; r++) {
            most = Math.max(most, blocks(of, r).size());
        }
        List<RatingBlock> mine = blocks(of, rank);
        StepLoss loss = StepLoss.NONE;
        solver.begin(side, gram);
        for (int i = 0; i < most; i++) {
            RatingBlock block = i < mine.size() ? mine.get(i) : null;
            int[] codes = block == null ? new int[0] : solver.touched(side, block);
            FetchedRows fetched = new FetchedRows(codes, learner.stride());
            mostFetchedBytes = Math.max(mostFetchedBytes, fetched.bytes());
            if (rows.fetch(fetched, own[1 - side], cuts[1 - side]) != null) {
                return null;
            }
            loss = block == null ? loss : loss.plus(solver.solve(side, block, fetched, own[side]));
        }
        return loss;
    }

    private List<RatingBlock> blocks(int[] of, int rank) {
        return solver.blocks(side, of[rank], of[rank + 1], blockRatings);
    }

    /**
     * The sum over the other side's rows, in their order: each member goes on where the one before
     * ended, so that the sum does not depend on who owns what; the last one tells all.
     */
    private double @Nullable [] gram() {
        Collective all = requireCollective();
        DealtRows rows = own[1 - side];
        double[] sum = new double[0];
        Span travelling = Span.allocate((long) solver.gramNumbers() * Double.BYTES);
        for (int rank = 0; rank < all.size(); rank++) {
            if (rank == all.rank()) {
                sum = solver.gram(sum, rows, rows.first(), rows.end());
                travelling.buffer().asDoubleBuffer().put(sum);
            }
            Set<Integer> next = rank + 1 < all.size() ? Set.of(rank + 1) : others(rank);
            if (!next.isEmpty() && all.copy(rank, next, List.of(travelling)) != null) {
                return null;
            }
            if (next.contains(all.rank())) {
                sum = new double[solver.gramNumbers()];
                travelling.buffer().asDoubleBuffer().get(sum);
            }
        }
        return sum;
    }

    private static Set<Integer> others(int rank) {
        Set<Integer> others = new HashSet<>();
        for (int other = 0; other < rank; other++) {
            others.add(other);
        }
        return others;
    }

    @Override
    public Update update(Part part, Tail tail) {
        return new Update() {
            @Override
            public void run() {
                if (isKeeper()) {
                    keep();
                }
                hasWhole = isKeeper();
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

    private void keep() {
        int stride = learner.stride();
        float[] row = new float[stride];
        long rowBytes = (long) stride * Float.BYTES;
        int atOnce = (int) Math.max(1, (1 << 20) / rowBytes);
        Span room = Span.allocate(atOnce * rowBytes); // A row may lie across chunks of the file.
        for (int first = 0; first < solver.codes(side); first += atOnce) {
            int end = Math.min(first + atOnce, solver.codes(side));
            Span block = room.slice(0, (end - first) * rowBytes);
            block.copyFrom(staged.slice(first * rowBytes, block.bytes()));
            FloatBuffer from = block.buffer().asFloatBuffer();
            for (int code = first; code < end; code++) {
                from.get(row);
                learner.write(solver.row(side, code), row, 0);
            }
        }
    }

    @Override
    public void discarded() {
        // The files move in an update alone; what is owned is dealt out anew by the next group.
    }

    @Override
    public List<NamedSpan> state() {
        return List.of();
    }

    /** The rows that are owned, and the largest block so far, here and on its way to others. */
    @Override
    public long bytes() {
        long bytes = mostFetchedBytes + (fetch == null ? 0 : fetch.bytes());
        for (DealtRows rows : own) {
            bytes += rows.bytes();
        }
        return bytes;
    }

    @Override
    public void close() {
        // Spans free themselves.
    }
}
