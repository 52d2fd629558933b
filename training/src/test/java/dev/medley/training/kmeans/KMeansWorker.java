package dev.medley.training.kmeans;

import dev.medley.base.Fault;
import dev.medley.base.WorkerId;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.model.KMeansSpec;
import dev.medley.base.model.KMeansSpec.Algorithm;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.BatchStream;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.Formation;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.metric.EvaluationBlocks;
import dev.medley.net.membership.Membership.Action;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.tensor.kmeans.KMeansFit;
import dev.medley.tensor.kmeans.KMeansLearner;
import dev.medley.training.GivenTrain;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.evaluation.BlockOwners;
import dev.medley.training.evaluation.GroupEvaluator;
import dev.medley.training.kmeans.KMeansRun.Kill;
import dev.medley.training.loop.Ending;
import dev.medley.training.loop.GroupExchange;
import dev.medley.training.loop.RoundBatches;
import dev.medley.training.loop.ShareBatches;
import dev.medley.training.loop.StepFigures;
import dev.medley.training.loop.StepSchedule;
import dev.medley.training.loop.TrainingLoop;
import dev.medley.training.loop.TrainingState;
import dev.medley.training.loop.WorkerState;
import dev.medley.training.recovery.StateTransfer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes part in one group after the other as a worker does, until the budget is used up. */
final class KMeansWorker implements TrainingLoop.Hooks {
    private static final KMeansSpec LLOYD = new KMeansSpec(Algorithm.LLOYD, 1, 100, 0);

    /** A step that was applied here, and the samples of all that it took. */
    record Applied(long step, double inertia, double samples) {}

    private final KMeansRun run;
    private final WorkerId id;
    private final @Nullable Kill kill;
    private final KMeansLearner learner;
    private final Seat seat = new Seat(new Progress(0, false));
    private final WorkerState state;
    private final BlockingQueue<View> views = new LinkedBlockingQueue<>();
    private final List<Applied> applied = new ArrayList<>();
    private volatile @Nullable Collective current;
    private volatile boolean isKilled;

    /** A worker; {@code kill} is null where it lives. */
    KMeansWorker(KMeansRun run, int number, KMeansSamples data, @Nullable Kill kill) {
        this.run = run;
        this.id = new WorkerId(number);
        this.kill = kill;
        this.learner = new KMeansLearner(KMeansSamples.CENTRES, KMeansSamples.DIMENSIONS, 1);
        int samples = (int) data.count();
        long steps = LLOYD.mostSteps();
        this.state =
                new WorkerState(
                        learner,
                        new KMeansSteps(new KMeansFit(learner, LLOYD, 5), data),
                        new StepSchedule(GivenTrain.of(0, steps, samples).spec(), samples),
                        new WorkerState.Validation(0, List.of()),
                        seat,
                        Clock.system(),
                        TrainingState.START);
    }

    KMeansLearner learner() {
        return learner;
    }

    /** The steps that it applied; others it may have copied. */
    List<Applied> applied() {
        return applied;
    }

    boolean isKilled() {
        return isKilled;
    }

    // ---- Called by the coordinator

    void order(View view) {
        views.add(view);
    }

    Progress seal(ExchangeEndpoint endpoint, Action.TellSeal seal) {
        Progress progress = seat.seal(seal.epoch());
        Fault fault = new Fault(Fault.Kind.SEALED, "coordinator", seal.why());
        endpoint.callOff(seal.epoch(), fault);
        Collective sealed = current;
        if (sealed != null) {
            sealed.abort(fault);
        }
        return progress;
    }

    // ---- The training thread

    /** Ends a worker as if its process were killed. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    void live(ExchangeEndpoint endpoint) {
        try {
            while (!(take(next(), endpoint) instanceof Ending.Finished)) {
                // The next group.
            }
        } catch (Killed e) {
            isKilled = true;
            endpoint.close();
            run.killed(id);
        } finally {
            state.close();
        }
    }

    private View next() {
        try {
            View view = views.poll(5, TimeUnit.MINUTES);
            if (view == null) {
                throw new AssertionError(id + " is in no group");
            }
            return view;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Ending take(View view, ExchangeEndpoint endpoint) {
        int epoch = view.group().epoch();
        if (!seat.enter(epoch)) {
            return new Ending.Paused();
        }
        int size = view.group().size();
        ExchangeLayout layout = GroupExchange.layout(learner, size, StrategySpec.defaults(), 0);
        Formation formation = endpoint.form(view.group(), id, Transport.TCP, layout.bytes());
        Ending ending;
        if (formation instanceof Formation.Formed formed) {
            try (Collective collective = formed.collective()) {
                current = collective;
                ending = train(view, collective, layout);
            } finally {
                current = null;
            }
        } else {
            ending = new Ending.Faulted(0, ((Formation.Failed) formation).fault());
        }
        if (ending instanceof Ending.Faulted faulted) {
            run.faulted(id, epoch, faulted.fault());
        }
        return ending;
    }

    private Ending train(View view, Collective collective, ExchangeLayout layout) {
        Fault fault = StateTransfer.catchUp(view, collective, state);
        if (fault != null) {
            return new Ending.Faulted(0, fault);
        }
        state.formed(view, collective);
        ShareBatches shares = state.batches(view, collective.rank());
        long first = shares.first(view.committed().step() + 1);
        try (GroupExchange exchange = exchange(collective, layout);
                RoundBatches batches =
                        new RoundBatches(
                                (ranges, from, isOwn) -> BatchStream.NONE, shares::range, first)) {
            Ending ending = new TrainingLoop(state, view, exchange, batches, this).run();
            if (ending instanceof Ending.Finished) {
                run.finished();
            }
            return ending;
        }
    }

    private GroupExchange exchange(Collective collective, ExchangeLayout layout) {
        Target target = new Target(TargetKind.VALUE, 1, List.of());
        GroupEvaluator none =
                new GroupEvaluator(
                        new EvaluationBlocks(0, 1, target, List.of()),
                        target.kind(),
                        (from, to) -> {
                            throw new AssertionError("nothing is evaluated");
                        });
        BlockOwners nobody = new BlockOwners(List.of());
        StrategySpec strategy = StrategySpec.defaults();
        return new GroupExchange(collective, layout, learner, none, nobody, strategy, 0);
    }

    @Override
    public int wishes() {
        if (kill != null && kill.step() == state.state().step() + 1) {
            throw new Killed();
        }
        return 0;
    }

    @Override
    public void stepped(StepFigures of) {
        applied.add(new Applied(of.step(), of.loss() * of.weight(), of.weight()));
    }

    @Override
    public void precisionRaised(long step) {}

    @Override
    public void evaluated(Evaluation evaluation, long durationNs) {}

    @Override
    public void atBorder() {}
}
