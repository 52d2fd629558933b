package dev.medley.training.bucket;

import dev.medley.base.Fault;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeTimes;
import dev.medley.exchange.sum.Fidelity;
import dev.medley.exchange.sum.Scope;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.StepLoss;
import java.nio.DoubleBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the accumulators of one group's learners, such as gradients, leave in buckets while the pass
 * over the samples runs. The pass reports which are complete; a bucket leaves when all of its own
 * are and all buckets before it have left, so that every rank sends them in the same order, also
 * one whose share is empty. Where gradients travel as factors, these leave in their place when all
 * are complete.
 */
public final class Buckets implements ReadyListener {
    private final Learner learner;
    private final ParameterLayout accumulators;
    private final Collective collective;
    private final ExchangeLayout layout;
    private final List<BucketRanges.Range> fragments;
    private final List<BucketRanges.Range> ranges;
    private final int[] bucketOfSlot;
    private final int[] missing;
    private final Tail tail;
    private final @Nullable RoundTable table;

    private final long exactSteps;
    private final @Nullable LowRankSum lowRank;

    private BeforeLeaving beforeLeaving = (offsetBytes, bytes) -> {};
    private @Nullable LowRankSum factored;
    private ExchangeTimes timesBefore = ExchangeTimes.NONE;
    private long step;
    private Fidelity fidelity = Fidelity.EXACT;
    private Scope scope = Scope.ALL;
    private int next;
    private double squaredNorm;
    private double unit = 1;
    private boolean isWeighed = true;
    private @Nullable Said said;
    private boolean isHandedOver;

    /** What this rank says of the step beside its gradients. */
    private record Said(StepLoss loss, int wishes) {}

    /** Changes a complete stretch of the gradients in place, before it leaves. */
    @FunctionalInterface
    public interface BeforeLeaving {
        /** Changes {@code bytes} bytes from {@code offsetBytes} on. */
        void change(long offsetBytes, long bytes);
    }

    /** Buckets of gradients that travel as they are, or through the group's codec. */
    public Buckets(
            Learner learner,
            Collective collective,
            ExchangeLayout layout,
            long bucketBytes,
            long exactSteps) {
        this(learner, collective, layout, bucketBytes, exactSteps, null);
    }

    /**
     * Buckets over a collective whose memory is laid out by {@code layout}.
     *
     * @param exactSteps first steps of the run that no codec touches
     * @param lowRank for gradients that travel as factors, in a group of several; else null
     */
    public Buckets(
            Learner learner,
            Collective collective,
            ExchangeLayout layout,
            long bucketBytes,
            long exactSteps,
            @Nullable LowRankSum lowRank) {
        this.exactSteps = exactSteps;
        this.lowRank = lowRank;
        this.learner = learner;
        this.accumulators = learner.accumulatorLayout();
        this.collective = collective;
        this.layout = layout;
        long bytes = BucketRanges.size(accumulators.gradientBytes(), bucketBytes);
        this.fragments =
                layout.fragments() == 0
                        ? List.of()
                        : Fragments.of(accumulators, layout.fragments());
        this.ranges =
                fragments.isEmpty()
                        ? BucketRanges.of(accumulators, bytes)
                        : BucketRanges.of(accumulators, bytes, fragments);
        this.missing = new int[ranges.size()];
        this.bucketOfSlot = new int[accumulators.slots().size()];
        for (int b = 0; b < ranges.size(); b++) {
            for (int slot = ranges.get(b).firstSlot(); slot < ranges.get(b).endSlot(); slot++) {
                bucketOfSlot[slot] = b;
            }
        }
        Span tailMemory = collective.buffer().slice(layout.tailOffset(), layout.tailBytes());
        this.tail = new Tail(tailMemory.buffer().asDoubleBuffer(), collective.size());
        this.table = layout.tableBytes() == 0 ? null : table(collective, layout);
    }

    private static RoundTable table(Collective collective, ExchangeLayout layout) {
        Span rows = collective.buffer().slice(layout.tableOffset(), layout.tableBytes());
        return new RoundTable(rows.buffer().asDoubleBuffer(), collective.size());
    }

    /** From now on gradients are changed so before they leave. */
    public void changing(BeforeLeaving change) {
        beforeLeaving = change;
    }

    /** Begins a step in units of one. */
    public void begin(StepTag tag) {
        begin(tag, 1);
    }

    /**
     * Begins a step.
     *
     * @param expected what the sum of what all give will be divided by, so far as all know it: what
     *     is left out of a step comes with the next in its unit
     */
    public void begin(StepTag tag, double expected) {
        collective.begin(tag);
        collective.inUnits(expected);
        unit = expected;
        isWeighed = true;
        step = tag.step();
        fidelity = step > exactSteps ? Fidelity.CODED : Fidelity.EXACT;
        factored = step > exactSteps ? lowRank : null;
        timesBefore = factored == null ? ExchangeTimes.NONE : collective.times();
        said = null;
        isHandedOver = false;
        rewind(Scope.ALL);
    }

    /** No codec touches the step that has begun; all ranks say so, or none. */
    public void exactly() {
        fidelity = Fidelity.EXACT;
    }

    /**
     * Tells what this rank's samples of the step weigh, where others do not know and have to: the
     * step's unit is the sum of all weights then. Before the first bucket leaves.
     */
    public void weigh(DoubleSupplier own) {
        if (layout.weightBytes() > 0) {
            weight().put(0, own.getAsDouble());
            collective.sum(layout.weightOffset(), layout.weightBytes(), ElementType.FLOAT64);
            isWeighed = false;
        }
    }

    /**
     * What the sum of the step will be divided by: exact, where ranks told each other or where
     * weights are known without. Waits for the slowest to tell.
     */
    public double unit() {
        if (!isWeighed) {
            isWeighed = true;
            if (collective.await() == null) {
                unit = weight().get(0);
                collective.inUnits(unit);
            }
        }
        return unit;
    }

    private DoubleBuffer weight() {
        return collective
                .buffer()
                .slice(layout.weightOffset(), layout.weightBytes())
                .buffer()
                .asDoubleBuffer();
    }

    /**
     * Begins a step of this rank's site alone, within one of all: what leaves until {@link
     * #finishAtSite} is summed over its mates. Mates begin and finish as many.
     */
    public void beginAtSite() {
        rewind(Scope.SITE);
    }

    private void rewind(Scope over) {
        scope = over;
        next = 0;
        squaredNorm = 0;
        for (int b = 0; b < missing.length; b++) {
            missing[b] = ranges.get(b).slots();
        }
    }

    @Override
    public void ready(int slot) {
        missing[bucketOfSlot[slot]]--;
        while (next < missing.length && missing[next] == 0) {
            send(ranges.get(next++));
            if (next == ranges.size() && factored != null && scope == Scope.ALL) {
                factored.offer(step, unit());
            }
        }
        handOverIfComplete();
    }

    /**
     * Lets all of a fragment leave, and what this rank says of it; returns at once. Fragments leave
     * in order, each once in a step.
     *
     * @param expected what the sum of this fragment will be divided by, so far as all know it
     */
    public void offer(int fragment, FragmentSums own, double expected) {
        collective.inUnits(expected);
        BucketRanges.Range range = fragments.get(fragment);
        for (int slot = range.endSlot() - 1; slot >= range.firstSlot(); slot--) {
            ready(slot);
        }
        boolean isFinite = Double.isFinite(squaredNorm);
        new FragmentSums(isFinite ? own.weight() : Double.NaN, own.weightedSteps())
                .write(said(fragment));
        collective.sum(
                layout.fragmentOffset(fragment), layout.fragmentBytes(), ElementType.FLOAT64);
    }

    /** Hands over this rank's row of the table; behind the gradients. */
    public void offer(RoundTable.Row own) {
        requireTable().write(collective.rank(), own);
        collective.sum(layout.tableOffset(), layout.tableBytes(), ElementType.FLOAT64);
    }

    /**
     * Hands over all of a step in which this rank gives nothing but its row, in the place of a
     * training thread that is still at work: also what {@link #conclude} would, but no statistics,
     * which are changed meanwhile, and no wishes. The gradients are zero. May be called by another
     * thread than the training thread, which then must not touch anything here or in the exchange
     * memory before it has seen the call.
     */
    public void offerNothing(RoundTable.Row own) {
        for (; next < ranges.size(); next++) {
            BucketRanges.Range range = ranges.get(next);
            clearGaps(range);
            collective.sum(range.offsetBytes(), range.bytes(), layout.elementType(), fidelity);
        }
        offer(own);
        clearStatistics();
        squaredNorm = 0;
        handOver(new Said(StepLoss.NONE, 0));
    }

    /** Whether all of the step has been handed over, also what follows the gradients. */
    public boolean isHandedOver() {
        return isHandedOver;
    }

    /**
     * What all ranks said of the round, valid as the {@link #tail} is; null if it waits for all.
     */
    public @Nullable RoundTable table() {
        return table;
    }

    private RoundTable requireTable() {
        return Objects.requireNonNull(table, "rounds wait for all");
    }

    /** A codec of signs makes something of the nothing between parameters, which would add up. */
    private void clearGaps(BucketRanges.Range range) {
        long elementBytes = layout.elementType().bytes();
        List<Slot> slots = accumulators.slots();
        for (int slot = range.firstSlot(); slot < range.endSlot(); slot++) {
            long from = slots.get(slot).end() * elementBytes;
            boolean isLast = slot + 1 == range.endSlot();
            long to =
                    isLast
                            ? range.offsetBytes() + range.bytes()
                            : slots.get(slot + 1).offset() * elementBytes;
            collective.buffer().slice(from, to - from).clear();
        }
    }

    private void clearStatistics() {
        collective.buffer().slice(layout.bufferOffset(), layout.bufferBytes()).clear();
    }

    /**
     * Waits until the fragments that have left are summed; the step goes on. The fault that ended
     * it, if one did.
     */
    public @Nullable Fault await() {
        return collective.await();
    }

    /** What all ranks said of a fragment; valid once it is summed, until it leaves again. */
    public FragmentSums sums(int fragment) {
        return FragmentSums.read(said(fragment));
    }

    private DoubleBuffer said(int fragment) {
        return collective
                .buffer()
                .slice(layout.fragmentOffset(fragment), layout.fragmentBytes())
                .buffer()
                .asDoubleBuffer();
    }

    /**
     * What this rank says of the step beside its gradients. It leaves as soon as all of these have
     * left, now or later; where they travel as factors, with {@link #finish}.
     *
     * @param wishes bits of {@link Tail.Wish}
     */
    public void conclude(StepLoss loss, int wishes) {
        if (!isHandedOver) {
            said = new Said(loss, wishes);
            handOverIfComplete();
        }
    }

    private void handOverIfComplete() {
        if (said != null && next == ranges.size() && factored == null) {
            handOver(said);
        }
    }

    /** Whether {@link #finish} would hardly wait; does not wait itself. */
    public boolean isSummed() {
        return isHandedOver && collective.isSummed();
    }

    /** Waits for the sums of a step that is concluded; the fault that ended it, if one did. */
    public @Nullable Fault finish() {
        requireComplete();
        Fault fault = factored == null ? null : factored.turn();
        if (fault != null) {
            return fault;
        }
        if (!isHandedOver) {
            handOver(Objects.requireNonNull(said, "nothing was said of the step"));
        }
        if (factored != null) {
            factored.keepRest();
        }
        fault = collective.finish();
        if (fault == null && factored != null) {
            factored.restore();
        }
        return fault;
    }

    /** Hands over what follows the gradients. */
    private void handOver(Said own) {
        if (layout.bufferBytes() > 0) {
            collective.sum(layout.bufferOffset(), layout.bufferBytes(), layout.elementType());
        }
        StepLoss loss = own.loss();
        tail.write(collective.rank(), loss.lossSum(), loss.weight(), squaredNorm, own.wishes());
        collective.sum(layout.tailOffset(), layout.tailBytes(), ElementType.FLOAT64);
        isHandedOver = true;
    }

    /**
     * The step that was finished last has been applied: what was left out of it is sent with the
     * next one. Where nobody says so before the next {@link #begin}, the step counts as discarded.
     */
    public void applied() {
        if (tail.weight() == 0) {
            return; // Nothing moves: what is left out is what was left out before.
        }
        collective.applied();
        if (factored != null) {
            factored.applied();
        }
    }

    /**
     * What the exchange did since the last call; after {@link #finish}. With what factors spared:
     * as much of each link's bytes as of the step's slices.
     */
    public ExchangeTimes times() {
        ExchangeTimes now = collective.times();
        if (factored == null) {
            return now;
        }
        double beside = layout.bufferBytes() + layout.tailBytes();
        double plain = layout.gradientBytes() + beside;
        return timesBefore.plus(now.standingFor(plain / (factored.bytes() + beside)));
    }

    /**
     * Hands over what follows the gradients of a step of this site, and waits for the sums. The
     * gradients are those of all mates then; what leaves next goes to all again.
     *
     * @return the fault that ended the step of all, or null
     */
    public @Nullable Fault finishAtSite(double lossSum, double weight) {
        requireComplete();
        tail.write(collective.rank(), lossSum, weight, squaredNorm, 0);
        collective.sumAtSite(layout.tailOffset(), layout.tailBytes(), ElementType.FLOAT64);
        rewind(Scope.ALL);
        return collective.finish();
    }

    /** Whether what the mates said of their last step at this site are finite numbers. */
    public boolean isSoundAtSite() {
        return collective.mates().stream().allMatch(tail::isSound);
    }

    /**
     * What all ranks said of the step, valid after {@link #finish} without a fault; or what the
     * mates said of theirs, with zeros for the others, after {@link #finishAtSite}.
     */
    public Tail tail() {
        return tail;
    }

    private void requireComplete() {
        if (next != ranges.size()) {
            throw new IllegalStateException(
                    "backward ended with "
                            + (ranges.size() - next)
                            + " of "
                            + ranges.size()
                            + " buckets incomplete");
        }
    }

    private void send(BucketRanges.Range range) {
        double unused = unit();
        squaredNorm += learner.squaredNorm(range.offsetBytes(), range.bytes());
        beforeLeaving.change(range.offsetBytes(), range.bytes());
        clearGaps(range);
        if (scope == Scope.SITE) {
            collective.sumAtSite(range.offsetBytes(), range.bytes(), layout.elementType());
        } else if (factored == null) {
            collective.sum(range.offsetBytes(), range.bytes(), layout.elementType(), fidelity);
        }
    }
}
