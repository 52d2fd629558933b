package dev.medley.training.loop;

import dev.medley.base.Fault;
import dev.medley.base.StepTag;
import dev.medley.inference.metric.Evaluation;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.RoundTable;
import dev.medley.training.bucket.Tail;
import dev.medley.training.bucket.Tail.Wish;
import dev.medley.training.evaluation.GroupEvaluator;
import dev.medley.training.loop.RunningStatistics.From;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Strategy;
import dev.medley.training.strategy.Update;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Trains in one group: takes steps until the budget is used up, a member asks for a pause, or a
 * fault ends it.
 *
 * <p>One step ends with one exchange. The {@link Strategy} decides what lies before it and what
 * follows from it: sums over samples and an update of all learners, or a round of steps that each
 * worker takes by itself and one that all take together. Either is applied by all or by none.
 */
public final class TrainingLoop {
    private final WorkerState worker;
    private final View view;
    private final GroupExchange exchange;
    private final Buckets buckets;
    private final Strategy strategy;
    private final ShareBatches shares;
    private final TimedFeed feed;
    private final Hooks hooks;

    /** What the loop tells and asks; called on the training thread between steps. */
    public interface Hooks {
        /** Bits of {@link Wish} that this worker has. */
        int wishes();

        /** A step was applied. */
        void stepped(StepFigures figures);

        /** All members go on in fp32, since bf16 was too coarse for one of them. */
        void precisionRaised(long step);

        /** An evaluation is done and part of the state. */
        void evaluated(Evaluation evaluation, long durationNs);

        /** A step border: the place for a checkpoint. */
        void atBorder();
    }

    /** A loop over a group that has its exchange and its batches. */
    public TrainingLoop(
            WorkerState worker,
            View view,
            GroupExchange exchange,
            RoundBatches batches,
            Hooks hooks) {
        this.worker = worker;
        this.view = view;
        this.exchange = exchange;
        this.buckets = exchange.buckets();
        this.strategy = worker.strategy();
        this.shares = worker.batches(view, exchange.collective().rank());
        this.feed = new TimedFeed(batches, worker.timer(), worker.seat(), view.group().epoch());
        this.hooks = hooks;
    }

    /** Trains until there is a reason not to. */
    public Ending run() {
        boolean paused = false;
        while (true) {
            long step = worker.state().step();
            if (worker.isEvaluationDue()) {
                Fault fault = evaluate(step);
                if (fault != null) {
                    return new Ending.Faulted(step, fault);
                }
            }
            hooks.atBorder();
            String over = worker.state().over();
            if (over != null) {
                return new Ending.Finished(over);
            }
            if (paused || step >= view.lastStep()) {
                return new Ending.Paused();
            }
            Outcome outcome = step(step + 1);
            if (outcome.fault() != null) {
                return new Ending.Faulted(step + 1, outcome.fault());
            }
            paused = buckets.tail().isWished(Wish.PAUSE);
        }
    }

    private Outcome step(long step) {
        StepTimer timer = worker.timer().begin();
        if (strategy.waitsByItself()) {
            timer.waitsWithin();
        }
        Backlog backlog = worker.backlog();
        Part part = shares.part(step, backlog);
        feed.begin(shares.first(step), shares.count(step), shares.behind(backlog));
        double unit = strategy.unit(part) * worker.learner().usualWeight();
        buckets.begin(tag(step), unit);
        StepLoss loss = strategy.compute(part, feed, buckets);
        if (loss == null) {
            return discard(ended());
        }
        if (!buckets.isHandedOver()) {
            From from = strategy.keepsOwnStatistics() ? From.OWN : From.COMMON;
            exchange.statistics().offer(loss.weight(), from);
        }
        timer.computed();
        int wishes = hooks.wishes();
        if (worker.wishesFullPrecision(step, feed.last())) {
            wishes |= Tail.bit(Wish.FULL_PRECISION);
        }
        buckets.conclude(loss, wishes);
        timer.handedOver();
        if (!strategy.whileSummed(() -> partAfter(step), feed, buckets)) {
            return discard(ended());
        }
        timer.wentAhead();
        Fault fault = buckets.finish();
        timer.exchanged(buckets.times());
        if (fault != null) {
            return discard(fault);
        }
        Tail tail = buckets.tail();
        requireSound(tail, step);
        Update update = strategy.update(part, tail);
        Fault own = strategy.fault();
        if (own != null) {
            return discard(own);
        }
        boolean applied = worker.seat().apply(view.group().epoch(), progressAfter(step), update);
        if (!applied) {
            return discard(sealed());
        }
        RoundTable table = buckets.table();
        StepFigures.Samples samples = samples(step, table);
        if (table != null) {
            worker.left(shares.after(step, backlog, table, exchange.quorum()));
        }
        worker.applied(tail);
        if (strategy.sendsRestLater()) {
            buckets.applied();
        }
        exchange.statistics().applied(tail.weight());
        if (tail.isWished(Wish.FULL_PRECISION)) {
            hooks.precisionRaised(step);
        }
        hooks.stepped(timer.figures(step, view.plan(), samples, tail, update));
        return Outcome.APPLIED;
    }

    /** The part of the step after one, where this group may take it. */
    private @Nullable Part partAfter(long step) {
        long last = Math.min(view.lastStep(), worker.schedule().lastStep());
        return step < last ? shares.part(step + 1) : null;
    }

    private @Nullable Fault evaluate(long step) {
        long beginNs = worker.clock().nowNs();
        GroupEvaluator.Result result = exchange.evaluate(worker.learner(), tag(step));
        if (result instanceof GroupEvaluator.Result.Ended ended) {
            return ended.fault();
        }
        Evaluation evaluation = ((GroupEvaluator.Result.Done) result).evaluation();
        TrainingState next = worker.stateAfter(evaluation);
        if (!worker.seat().apply(view.group().epoch(), next.progress(), () -> worker.move(next))) {
            return sealed();
        }
        hooks.evaluated(evaluation, worker.clock().nowNs() - beginNs);
        return null;
    }

    private Outcome discard(Fault fault) {
        takeBack();
        return Outcome.discarded(fault);
    }

    /** The state is as it was before the step. */
    private void takeBack() {
        strategy.discarded();
        exchange.statistics().discarded();
    }

    /** All that a checkpoint saves is as it was before the step when this throws. */
    private void requireSound(Tail tail, long step) {
        int rank = tail.firstUnsoundRank();
        if (rank >= 0) {
            takeBack();
            var share = worker.schedule().share(step, view.plan(), rank);
            throw new UnsoundStepException(
                    ("the loss or its gradient is not a finite number in step %d, on %s, samples %d"
                         + " to %d of epoch %d%s; the parameters are those before the step. %s; or"
                         + " mend extreme values in the data, and go on with --resume")
                            .formatted(
                                    step,
                                    view.group().members().get(rank).worker(),
                                    share.from(),
                                    share.to() - 1,
                                    share.epoch(),
                                    buckets.table() == null
                                            ? ""
                                            : ", or what it took over from earlier rounds",
                                    strategy.remedy()));
        }
    }

    /** What a step took, here and in all. */
    private StepFigures.Samples samples(long step, @Nullable RoundTable table) {
        int rank = exchange.collective().rank();
        if (table == null) {
            int own = worker.schedule().share(step, view.plan(), rank).samples();
            return new StepFigures.Samples(own, worker.schedule().samples(step));
        }
        return new StepFigures.Samples(feed.samples(), table.samples());
    }

    private StepTag tag(long step) {
        return new StepTag(view.group().epoch(), step, view.plan().version());
    }

    private Progress progressAfter(long step) {
        return new Progress(step, false);
    }

    /** Why a step cannot be ended. */
    private Fault ended() {
        Fault own = strategy.fault();
        return own != null
                ? own
                : Objects.requireNonNullElse(exchange.collective().ended(), sealed());
    }

    private Fault sealed() {
        String message =
                "epoch " + view.group().epoch() + " was sealed while the step was under way";
        return new Fault(Fault.Kind.SEALED, "coordinator", message);
    }
}
