package dev.medley.training.worker;

import dev.medley.base.Fault;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.StepTag;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.batch.TrainingData.Places;
import dev.medley.data.order.SampleRange;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.ExchangeOptions;
import dev.medley.exchange.Formation;
import dev.medley.net.control.Message;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.net.tls.CipherWarmUp;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.RouteReport;
import dev.medley.tensor.Torch;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.evaluation.GroupEvaluator;
import dev.medley.training.loop.Ending;
import dev.medley.training.loop.GroupExchange;
import dev.medley.training.loop.RoundBatches;
import dev.medley.training.loop.ShareBatches;
import dev.medley.training.loop.TrainingLoop;
import dev.medley.training.loop.UnsoundStepException;
import dev.medley.training.loop.WorkerState;
import dev.medley.training.recovery.StateTransfer;
import dev.medley.training.resize.ResizeWatch;
import dev.medley.worker.DataOrigin;
import dev.medley.worker.Delivery;
import dev.medley.worker.LinkReports;
import dev.medley.worker.Listening;
import dev.medley.worker.Task;
import dev.medley.worker.TaskStart;
import dev.medley.worker.WorkerSession;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains by gradients: takes a worker that has its data and its model through all groups that it is
 * a member of.
 *
 * <p>Thread: the training thread, which is the worker's.
 */
public final class GradientTask implements Task {
    /** Loads data and model, from a checkpoint of the run if there is one. */
    public static final Opener OPENER =
            new Opener() {
                @Override
                public Task open(TaskStart start) {
                    return GradientTask.open(start);
                }

                @Override
                public String toSaveMemory() {
                    return "use fewer workers, a smaller train.batch, or train.accumulate: 4 to"
                            + " keep the batch and compute it in parts";
                }
            };

    private static final Logger LOG = LoggerFactory.getLogger(GradientTask.class);

    private static final long LITTLE_BYTES = 16 << 20;

    /** Of the process: what was left when the garbage of loading was last collected. */
    private static final AtomicLong KEPT_BYTES = new AtomicLong();

    private static final long MOST_PATIENCE_NS = TimeUnit.DAYS.toNanos(1);

    private JobSpec job;
    private final WorkerId self;
    private final WorkerSettings place;
    private final WorkerSession session;
    private final Seat seat;
    private final ExchangeEndpoint endpoint;
    private final Gathering gathering;
    private final TrainingData data;
    private final ModelKind kind;
    private final WorkerState state;
    private final Evaluation evaluation;
    private final StepReports reports;
    private final Keeping keeping;
    private final OwnSpeed speed;
    private final @Nullable ResizeWatch resizes;
    private final Opened opened;

    /**
     * What is opened for the task and closed with it.
     *
     * @param origin of what is not there of the data
     * @param delivery of what it writes
     */
    private record Opened(DataOrigin origin, Delivery delivery) implements AutoCloseable {
        @Override
        public void close() {
            delivery.close();
            origin.close();
        }
    }

    /** What evaluates, and how many doubles it exchanges. */
    record Evaluation(GroupEvaluator evaluator, long values) {}

    private GradientTask(
            Assignment assignment,
            TaskStart start,
            ExchangeEndpoint endpoint,
            ReadyWorker loaded,
            Opened opened) {
        Clock clock = start.life().clock();
        this.job = assignment.job();
        this.self = start.self();
        this.place = start.place();
        this.session = start.life().session();
        this.endpoint = endpoint;
        this.gathering = new Gathering(endpoint, self, session::useCollective);
        this.data = loaded.data();
        this.kind = loaded.kind();
        this.state = loaded.state();
        this.seat = loaded.state().seat();
        this.evaluation = loaded.evaluation();
        this.reports = new StepReports(session, endpoint, job.train(), clock);
        this.keeping =
                new Keeping(assignment, self, loaded, session, reports, opened.delivery(), clock);
        this.speed = new OwnSpeed(state.learner(), data, clock);
        this.resizes = loaded.resizes();
        this.opened = opened;
    }

    private static GradientTask open(TaskStart start) {
        Assignment given = Json.bindWhole(start.welcome().assignment(), Assignment.class);
        start.requireOwn(given.job());
        JoinSpec join = given.job().cluster().join();
        StoreUrl depot = join == null ? null : join.depot();
        DataOrigin origin = DataOrigin.of(given.data(), depot, start.files());
        try {
            Path runFolder = Path.of(given.runFolder());
            Delivery delivery = Delivery.of(start.place(), runFolder, start.files());
            try {
                return open(given.at(start.place()), start, new Opened(origin, delivery));
            } catch (RuntimeException | Error e) {
                delivery.close();
                throw e;
            }
        } catch (RuntimeException | Error e) {
            origin.close();
            throw e;
        }
    }

    private static GradientTask open(Assignment assignment, TaskStart start, Opened opened) {
        JobSpec job = assignment.job();
        Clock clock = start.life().clock();
        ReadyWorker loaded =
                ReadyWorker.load(assignment, opened.origin(), start.life().seat(), clock);
        ExchangeOptions options =
                ExchangeOptions.of(start.token())
                        .securing(Listening.security(job.cluster(), start.credentials()))
                        .waitingAtMost(job.cluster().stepTimeoutNs() / 4, exchangeTimeoutNs(job))
                        .compressing(job.strategy().compress(), job.strategy().codec());
        ExchangeEndpoint endpoint = Listening.at(start.place(), options, clock);
        start.life().session().use(endpoint);
        GradientTask task = new GradientTask(assignment, start, endpoint, loaded, opened);
        try {
            if (start.credentials() != null) {
                CipherWarmUp.run();
            }
            collectGarbageOfLoading();
            LOG.info("computes by {}", Torch.kernelKey());
            return task;
        } catch (RuntimeException | Error e) {
            task.close();
            throw e;
        }
    }

    /**
     * What loading left behind: later all others would wait for it. Where several workers are
     * threads of one process, all of them wait for this too, so for little it is not done.
     */
    private static void collectGarbageOfLoading() {
        if (heapBytes() > KEPT_BYTES.get() + LITTLE_BYTES) {
            System.gc();
            KEPT_BYTES.set(heapBytes());
        }
    }

    private static long heapBytes() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Between two exchanges lie so many steps, and the patience with each of them. */
    private static long exchangeTimeoutNs(JobSpec job) {
        long ofStepNs = job.cluster().stepTimeoutNs();
        int steps = job.strategy().round().syncEvery();
        return Math.max(ofStepNs, (long) Math.min(MOST_PATIENCE_NS, (double) ofStepNs * steps));
    }

    @Override
    public Readiness ready(TrialScope trial, IntConsumer trying) {
        Member member =
                new Member(
                        self,
                        ExchangeEndpoint.hostKey(),
                        place.site(),
                        place.advertise(),
                        endpoint.dataPort(),
                        Torch.kernelKey());
        return new Readiness(
                member, seat.progress(), speed.tried(job, trial, trying), data.shardsHere());
    }

    @Override
    public Message.Tried tryAlone(int samples) {
        return speed.alone(samples);
    }

    @Override
    public void take(View view) {
        int epoch = view.group().epoch();
        if (!seat.enter(epoch)) {
            LOG.info("epoch {} was sealed before it began here", epoch);
            return;
        }
        if (resizes != null) {
            resizes.enter(view.group().members().get(view.group().rankOf(self)));
        }
        decide(view.strategy());
        speed.entered(view.plan().microBatch(view.group().rankOf(self)));
        ExchangeLayout layout =
                GroupExchange.layout(
                        state.learner(), view.group().size(), job.strategy(), evaluation.values());
        Formation formation = gathering.form(view, job.strategy(), layout.bytes());
        if (formation instanceof Formation.Failed failed) {
            faulted(view, view.committed().step() + 1, failed.fault());
            return;
        }
        Formation.Formed formed = (Formation.Formed) formation;
        Collective collective = formed.collective();
        boolean isPaused = false;
        try {
            report(view, collective.rank(), formed);
            keeping.formed(view, collective);
            isPaused = train(view, collective, layout) instanceof Ending.Paused;
        } finally {
            if (!isPaused) {
                gathering.part();
            }
        }
    }

    /**
     * The strategy of a group is known when it forms; it may be another than that before, or the
     * same through another codec.
     */
    private void decide(@Nullable StrategySpec chosen) {
        if (chosen == null || chosen.equals(job.strategy())) {
            return;
        }
        LOG.info("the strategy that was chosen: {}", chosen);
        StrategySpec before = job.strategy();
        boolean isOtherCodecAlone = chosen.with(before.compress(), before.codec()).equals(before);
        job = job.with(chosen);
        if (!isOtherCodecAlone) {
            state.decide(job, kind.strategy(job));
        }
        endpoint.exchangeAs(chosen, exchangeTimeoutNs(job));
    }

    /**
     * All know the same of the ways between machines: one says it. What sums follow of it is for
     * the record, whoever lives to take a step by it: all say that.
     */
    private void report(View view, int rank, Formation.Formed formed) {
        if (rank == 0 && formed.survey() != null) {
            LinkReport report = LinkReports.of(view.group(), formed.survey());
            session.say(new Message.Noted("links", Json.tree(report)));
        }
        if (view.plan().route() == null && !formed.route().isUsual()) {
            RouteReport report = new RouteReport(view.group().epoch(), formed.route());
            session.say(new Message.Noted(RouteReport.KIND, Json.tree(report)));
        }
    }

    @Override
    public void leave() {
        reports.flush();
        keeping.finish();
    }

    @Override
    public void saveAndLeave() {
        reports.flush();
        keeping.saveNow();
        keeping.finish();
    }

    @Override
    public void leaveOrphaned() {
        keeping.keepOrphaned();
    }

    /**
     * The run ends here, before a step that would have spoilt the state: tells and keeps the rest.
     */
    private void leaveUnsound() {
        reports.flush();
        keeping.keepSound();
    }

    @Override
    public void close() {
        try (opened) {
            keeping.close();
            gathering.part();
            endpoint.close();
            data.close();
            state.close();
        }
    }

    private Ending train(View view, Collective collective, ExchangeLayout layout) {
        Fault fault = StateTransfer.catchUp(view, collective, state);
        if (fault != null) {
            Ending.Faulted faulted = new Ending.Faulted(view.committed().step() + 1, fault);
            ended(view, faulted);
            return faulted;
        }
        state.formed(view, collective);
        int rank = collective.rank();
        LOG.info(
                "{} joined epoch {} as rank {} of {}, after step {}",
                self,
                view.group().epoch(),
                rank,
                view.group().size(),
                view.committed().step());
        ShareBatches shares = state.batches(view, rank);
        long first = shares.first(view.committed().step() + 1);
        reports.begin(view);
        try (GroupExchange exchange = exchange(view, collective, layout);
                RoundBatches batches = new RoundBatches(this::prefetched, shares::range, first)) {
            Fault undealt = state.deal(view, rank);
            Ending ending =
                    undealt != null
                            ? new Ending.Faulted(view.committed().step() + 1, undealt)
                            : new TrainingLoop(
                                            state,
                                            view,
                                            exchange,
                                            batches,
                                            new BorderDuties(
                                                    view, session, keeping, reports, state,
                                                    resizes))
                                    .run();
            reports.flush();
            ended(view, ending);
            return ending;
        } catch (UnsoundStepException e) {
            leaveUnsound();
            throw e;
        }
    }

    private BatchStream prefetched(LongFunction<SampleRange> ranges, long first, boolean isOwn) {
        if (!state.takesBatches()) {
            return BatchStream.NONE;
        }
        if (job.train().takesAllSamples()) {
            return data.held(ranges, first);
        }
        Places places = new Places(state.placed(), isOwn);
        return data.train(places, ranges, first, job.data().prefetchBatches());
    }

    private GroupExchange exchange(View view, Collective collective, ExchangeLayout layout) {
        return new GroupExchange(
                collective,
                layout,
                state.learner(),
                evaluation.evaluator(),
                evaluation.evaluator().owners(view.group(), state.evaluating(view.plan().shares())),
                job.strategy(),
                job.seed());
    }

    private void ended(View view, Ending ending) {
        int epoch = view.group().epoch();
        if (ending instanceof Ending.Faulted faulted) {
            faulted(view, faulted.step(), faulted.fault());
        } else if (ending instanceof Ending.Paused) {
            LOG.info("epoch {} paused after step {}", epoch, state.state().step());
            session.say(new Message.Sealed(epoch, seat.seal(epoch)));
        } else if (ending instanceof Ending.Finished finished) {
            keeping.finish();
            LOG.info("finished after step {}: {}", state.state().step(), finished.why());
            session.say(
                    new Message.Finished(
                            epoch, state.state().step(), state.parameterHash(), finished.why()));
        }
    }

    private void faulted(View view, long step, Fault fault) {
        StepTag tag = new StepTag(view.group().epoch(), step, view.plan().version());
        LOG.info("{} discarded: {}", tag, fault.message());
        if (fault.kind() != Fault.Kind.SEALED) {
            session.say(new Message.Faulted(tag.epoch(), step, fault));
        }
    }
}
