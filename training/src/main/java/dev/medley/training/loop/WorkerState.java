package dev.medley.training.loop;

import dev.medley.base.BatchSizes;
import dev.medley.base.Cursor;
import dev.medley.base.Fault;
import dev.medley.base.StepTag;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.time.Clock;
import dev.medley.data.order.PlacedEpoch;
import dev.medley.exchange.Collective;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.metric.Metric;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.tensor.model.Learner;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Holds a worker's state of a run: parameters, statistics, the strategy's state and {@link
 * TrainingState}. One owner: the training thread.
 */
public final class WorkerState implements AutoCloseable {
    private final Learner learner;
    private Strategy strategy;
    private final Validation validation;
    private final Seat seat;
    private final Clock clock;
    private final StepTimer timer;
    private final PrecisionGuard guard;
    private StepSchedule schedule;
    private TrainingState state;

    /**
     * How a run is judged.
     *
     * @param samples of the validation set; 0 for none
     * @param metrics the first decides
     */
    public record Validation(long samples, List<Metric> metrics) {
        public Validation {
            metrics = List.copyOf(metrics);
        }
    }

    /** A worker's state. */
    public WorkerState(
            Learner learner,
            Strategy strategy,
            StepSchedule schedule,
            Validation validation,
            Seat seat,
            Clock clock,
            TrainingState state) {
        this.learner = learner;
        this.strategy = strategy;
        this.schedule = schedule;
        this.validation = validation;
        this.seat = seat;
        this.clock = clock;
        this.timer = new StepTimer(clock);
        this.guard = new PrecisionGuard(learner);
        this.state = state;
    }

    /** What learns, and holds the parameters. */
    public Learner learner() {
        return learner;
    }

    /** What follows from a step's number. */
    public StepSchedule schedule() {
        return schedule;
    }

    /** The seat in the current group. */
    public Seat seat() {
        return seat;
    }

    /** What a run remembers. */
    public TrainingState state() {
        return state;
    }

    /** What evaluations report; the first decides. */
    public List<Metric> metrics() {
        return validation.metrics();
    }

    Strategy strategy() {
        return strategy;
    }

    Clock clock() {
        return clock;
    }

    StepTimer timer() {
        return timer;
    }

    /**
     * Everything that a member behind copies and a checkpoint saves, but the {@link TrainingState}.
     */
    public List<NamedSpan> spans() {
        ElementType type = learner.layout().type();
        List<NamedSpan> spans = new ArrayList<>();
        if (learner.parameters().bytes() > 0) {
            spans.add(flat("parameters", type, learner.parameters()));
        }
        if (learner.buffers().bytes() > 0) {
            spans.add(flat("buffers", type, learner.buffers()));
        }
        spans.addAll(strategy.state());
        return spans;
    }

    /** Those of them that a member behind copies from another one. */
    public List<NamedSpan> copied() {
        return strategy.dealsOut() ? strategy.state() : spans();
    }

    /** Brings to this member what it alone holds; the fault that ended the group, or null. */
    public @Nullable Fault deal(View view, int rank) {
        StepTag tag =
                new StepTag(view.group().epoch(), view.committed().step(), view.plan().version());
        return strategy.deal(
                tag,
                view.behind().contains(rank)
                        ? Strategy.Standing.BEHIND
                        : Strategy.Standing.CURRENT);
    }

    /** Whether this member has all parameters, so that it can keep them. */
    public boolean hasAll() {
        return strategy.hasAll();
    }

    /** The shares by which ranks evaluate: those that have all parameters. */
    public List<Integer> evaluating(List<Integer> shares) {
        List<Integer> evaluating = new ArrayList<>();
        for (int rank = 0; rank < shares.size(); rank++) {
            evaluating.add(strategy.hasAll(rank) ? shares.get(rank) : Integer.valueOf(0));
        }
        boolean isIdle = evaluating.stream().allMatch(share -> share == 0);
        if (isIdle && strategy.dealsOut()) {
            evaluating.set(0, 1);
        }
        return evaluating;
    }

    /** Whether a span is the strategy's: beside it there are those of the model. */
    public boolean isOfStrategy(NamedSpan span) {
        return strategy.state().stream().anyMatch(s -> s.name().equals(span.name()));
    }

    /**
     * Hash of parameters and statistics: equal on two members exactly if they agree bit by bit;
     * null where this one has but a part.
     */
    public @Nullable String parameterHash() {
        return strategy.hasAll() ? learner.parameterHash() : null;
    }

    /** Whether all parameters are finite numbers; reads each. */
    public boolean isFinite() {
        return Finite.all(learner.parameters(), learner.layout().type());
    }

    /**
     * The strategy was chosen that stood open in the job, or another takes its place; between two
     * groups. Of its state and of each worker's moments it begins with what it has in common with
     * the one before. Steps that were taken stay as long as they were, which this state says from
     * now on, since the job does not.
     *
     * @param next the strategy of {@code chosen}, for this learner
     */
    public void decide(JobSpec chosen, Strategy next) {
        Strategy before = strategy;
        strategy = next;
        Strategies.carry(before, strategy);
        before.close();
        BatchSizes sizes = schedule.sizes();
        schedule = StepSchedule.of(chosen, schedule.samplesPerEpoch()).with(sizes);
        state = state.with(sizes);
    }

    /** A group begins, of whose members all hold this state. Its plan says how long steps are. */
    public void formed(View view, Collective collective) {
        BatchSizes sizes =
                schedule.sizes().from(view.committed().step() + 1, view.plan().globalBatch());
        if (!sizes.equals(schedule.sizes())) {
            move(state.with(sizes));
        }
        place(view);
        timer.formed();
        strategy.planned(view.plan());
        left(backlog().formed());
        if (view.plan().isContinued()) {
            strategy.continued(view.group(), collective);
        } else {
            strategy.formed(view.group(), collective);
        }
    }

    /**
     * From the next step on samples are where the plan says; where those before it were is known
     * from this state.
     */
    private void place(View view) {
        Cursor next = schedule.cursor(view.committed().step() + 1);
        PlacedEpoch before = state.placed();
        PlacedEpoch after =
                PlacedEpoch.next(before, next, view.plan().shares(), view.plan().owners());
        if (!Objects.equals(before, after)) {
            move(state.with(after));
        }
    }

    /** The places of the samples that the epoch takes; null where every worker takes any. */
    public @Nullable PlacedEpoch placed() {
        return state.placed();
    }

    /** Samples that rounds left behind. */
    Backlog backlog() {
        return Objects.requireNonNullElse(state.backlog(), Backlog.NONE);
    }

    /** These are behind now. */
    void left(Backlog behind) {
        if (!behind.equals(backlog())) {
            move(state.with(behind));
        }
    }

    /** The batches of a rank of a group that has begun. */
    public ShareBatches batches(View view, int rank) {
        return new ShareBatches(schedule, view.plan(), rank, strategy.teams(view.group()));
    }

    /** An array of {@link #spans} is so long where it comes from; those of fixed lengths stay. */
    public void resize(String name, long bytes) {
        strategy.resize(name, bytes);
    }

    /** Whether batches of samples are prepared for its steps. */
    public boolean takesBatches() {
        return strategy.takesBatches();
    }

    /** Moves to a state whose {@link #spans} were written from a copy or a checkpoint. */
    public void load(TrainingState next) {
        strategy.restored();
        move(next);
    }

    /** Moves to a state that came with a copy, a checkpoint or an evaluation. */
    public void move(TrainingState next) {
        state = next;
        if (next.sizes() != null) {
            schedule = schedule.with(next.sizes());
        }
        if (next.fullPrecision() && schedule.train().precision() == Precision.AUTO) {
            learner.setPrecision(Precision.FP32);
        }
    }

    /** The run has trained for so much longer. */
    public void trained(long moreNs) {
        state = state.trained(moreNs);
    }

    /** Whether the guard over bf16 wishes for fp32 after this step, by its last batch. */
    boolean wishesFullPrecision(long step, @Nullable Batch batch) {
        return batch != null
                && schedule.train().precision() == Precision.AUTO
                && learner.computesInBf16()
                && PrecisionGuard.isDue(schedule, step)
                && guard.isTooCoarse(batch);
    }

    boolean isEvaluationDue() {
        return validation.samples() > 0
                && !state.evaluated()
                && (schedule.isEvaluationDue(state.step()) || state.over() != null);
    }

    TrainingState stateAfter(Evaluation evaluation) {
        Metric deciding = validation.metrics().get(0);
        return state.evaluated(
                evaluation.figures().getOrDefault(deciding.name(), Double.NaN),
                evaluation.loss(),
                deciding,
                schedule.train().stop());
    }

    void applied(Tail tail) {
        state = state.stepped();
        if (tail.isWished(Tail.Wish.FULL_PRECISION)) {
            move(state.inFullPrecision());
        }
        String done = strategy.done();
        if (done != null) {
            state = state.over(done);
        } else if (state.step() >= schedule.lastStep()) {
            state =
                    state.over(
                            "the last %s is done: %d of %d"
                                    .formatted(schedule.word(), state.step(), schedule.lastStep()));
        } else if (tail.isWished(Tail.Wish.TIME_IS_UP)) {
            state =
                    state.over(
                            "the time is used up in %s %d"
                                    .formatted(schedule.word(), state.step()));
        }
    }

    /** Frees the learner's and the strategy's native memory. */
    @Override
    public void close() {
        strategy.close();
        learner.close();
    }

    private static NamedSpan flat(String name, ElementType type, Span data) {
        return new NamedSpan(name, type, new long[] {data.bytes() / type.bytes()}, data);
    }
}
