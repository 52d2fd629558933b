package dev.medley.training.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.Fault;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.StepTag;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.memory.Span;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.batch.TrainingData.Places;
import dev.medley.data.order.SampleRange;
import dev.medley.data.shard.BlockOrigin;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.ExchangeOptions;
import dev.medley.exchange.Formation;
import dev.medley.net.control.Message;
import dev.medley.net.link.LinkSecurity;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.net.tls.Credentials;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.RouteReport;
import dev.medley.tensor.Torch;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.evaluation.GroupEvaluator;
import dev.medley.training.loop.Ending;
import dev.medley.training.loop.GroupExchange;
import dev.medley.training.loop.RoundBatches;
import dev.medley.training.loop.ShareBatches;
import dev.medley.training.loop.SpeedTrial;
import dev.medley.training.loop.TrainingLoop;
import dev.medley.training.loop.UnsoundStepException;
import dev.medley.training.loop.WorkerState;
import dev.medley.training.recovery.StateTransfer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a worker that has its data and its model through all groups that it is a member of.
 *
 * <p>Thread: the training thread.
 */
final class WorkerRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerRun.class);

    private static final long MOST_PATIENCE_NS = TimeUnit.DAYS.toNanos(1);

    private JobSpec job;
    private final WorkerId self;
    private final WorkerSettings place;
    private final WorkerSession session;
    private final Seat seat;
    private final ExchangeEndpoint endpoint;
    private final Gathering gathering;
    private final TrainingData data;
    private final WorkerState state;
    private final Evaluation evaluation;
    private final StepReports reports;
    private final Keeping keeping;
    private final Clock clock;
    private int microBatch = Integer.MAX_VALUE;
    private @Nullable Span ownGradients;

    /**
     * What a worker begins with.
     *
     * @param assignment as it is at this place
     * @param self who it is
     * @param token secret of the run
     * @param place where it runs
     * @param credentials of its machine; null for plain text
     * @param origin of what is not there of the data
     * @param delivery of what it writes
     */
    record Start(
            Assignment assignment,
            WorkerId self,
            String token,
            WorkerSettings place,
            @Nullable Credentials credentials,
            BlockOrigin origin,
            Delivery delivery) {}

    /** What evaluates, and how many doubles it exchanges. */
    record Evaluation(GroupEvaluator evaluator, long values) {}

    private WorkerRun(
            JobSpec job,
            Start start,
            WorkerSession session,
            ExchangeEndpoint endpoint,
            ReadyWorker loaded,
            StepReports reports,
            Clock clock) {
        this.job = job;
        this.self = start.self();
        this.place = start.place();
        this.session = session;
        this.endpoint = endpoint;
        this.gathering = new Gathering(endpoint, start.self(), session::useCollective);
        this.data = loaded.data();
        this.state = loaded.state();
        this.seat = loaded.state().seat();
        this.evaluation = loaded.evaluation();
        this.reports = reports;
        this.keeping =
                new Keeping(
                        start.assignment(),
                        start.self(),
                        loaded,
                        session,
                        reports,
                        start.delivery(),
                        clock);
        this.clock = clock;
    }

    /** Loads data and model, from a checkpoint of the run if there is one. */
    static WorkerRun open(Start start, WorkerSession session, Seat seat, Clock clock) {
        JobSpec job = start.assignment().job();
        ReadyWorker loaded = ReadyWorker.load(start.assignment(), start.origin(), seat, clock);
        ExchangeOptions options =
                ExchangeOptions.of(start.token())
                        .securing(security(job, start.credentials()))
                        .waitingAtMost(job.cluster().stepTimeoutNs() / 4, exchangeTimeoutNs(job))
                        .compressing(job.strategy().compress(), job.strategy().codec());
        ExchangeEndpoint endpoint = listening(options, start.place(), clock);
        session.use(endpoint);
        StepReports reports = new StepReports(session, endpoint, job.train(), clock);
        return new WorkerRun(job, start, session, endpoint, loaded, reports, clock);
    }

    /** Which links of a job's workers are secured. */
    static LinkSecurity security(JobSpec job, @Nullable Credentials credentials) {
        JoinSpec join = job.cluster().join();
        if (join == null || credentials == null) {
            return LinkSecurity.NONE;
        }
        return switch (join.encrypt()) {
            case BETWEEN_SITES -> LinkSecurity.betweenSites(credentials);
            case ALL -> LinkSecurity.all(credentials);
            case NONE -> LinkSecurity.NONE;
        };
    }

    /** On the first port of the place's that is free. */
    static ExchangeEndpoint listening(ExchangeOptions options, WorkerSettings at, Clock clock) {
        for (int port = at.firstPort(); port < at.lastPort(); port++) {
            try {
                return ExchangeEndpoint.open(options.listeningOn(at.bind(), port), clock);
            } catch (ConfigException e) {
                LOG.info("port {} is taken: {}", port, e.getMessage());
            }
        }
        return ExchangeEndpoint.open(options.listeningOn(at.bind(), at.lastPort()), clock);
    }

    /** Between two exchanges lie so many steps, and the patience with each of them. */
    private static long exchangeTimeoutNs(JobSpec job) {
        long ofStepNs = job.cluster().stepTimeoutNs();
        int steps = job.strategy().round().syncEvery();
        return Math.max(ofStepNs, (long) Math.min(MOST_PATIENCE_NS, (double) ofStepNs * steps));
    }

    /** The shards of the training samples that need not be fetched. */
    List<Integer> shardsHere() {
        return data.shardsHere();
    }

    /** How peers reach this worker. */
    Member member() {
        return new Member(
                self,
                ExchangeEndpoint.hostKey(),
                place.site(),
                place.advertise(),
                endpoint.dataPort(),
                Torch.kernelKey());
    }

    /**
     * How long shares take here, where they, or the batch, follow speed, or a strategy is chosen by
     * it. Of a round, whose share is many batches, as much as an equal share would take.
     *
     * @param trying told how many samples go through the model at once, before they do
     */
    List<Message.Tried> tried(TrialScope scope, IntConsumer trying) {
        boolean isAsked =
                job.isBalanced() || job.train().batches().isAdaptive() || job.strategy().isOpen();
        if (!isAsked) {
            return List.of();
        }
        SpeedTrial trial = new SpeedTrial(state.replica(), data, clock);
        int equal = Math.max(1, job.roundSamples() / job.cluster().workers());
        int whole = Math.max(1, Math.min(job.innerBatch(), equal) / job.train().accumulate());
        int batch = Math.min(whole, scope.mostSamples());
        trying.accept(batch);
        long batchNs = trial.passNs(batch);
        if (equal > batch) {
            return List.of(new Message.Tried(equal, batchNs * equal / batch));
        }
        int few = Math.max(1, batch / 4);
        return few == batch || !scope.isFull()
                ? List.of(new Message.Tried(batch, batchNs))
                : List.of(
                        new Message.Tried(few, trial.passNs(few)),
                        new Message.Tried(batch, batchNs));
    }

    /**
     * How long so many samples take here now, in parts as large as in the last group. The memory
     * that is shared with others is left alone: gradients lie in some of this worker's own until
     * the next group begins. What it holds of the run is out of date, and stays as it is.
     */
    Message.Tried tryAlone(int samples) {
        int part = Math.max(1, Math.min(samples, microBatch));
        if (ownGradients == null) {
            ownGradients = Span.allocate(state.replica().layout().gradientBytes());
            state.replica().bindGradients(ownGradients);
        }
        long partNs = new SpeedTrial(state.replica(), data, clock).passNs(part);
        return new Message.Tried(samples, Math.max(1, partNs * samples / part));
    }

    /** Takes part in a group until it ends, and tells the coordinator how it ended. */
    void take(View view) {
        int epoch = view.group().epoch();
        if (!seat.enter(epoch)) {
            LOG.info("epoch {} was sealed before it began here", epoch);
            return;
        }
        decide(view.strategy());
        microBatch = view.plan().microBatch(view.group().rankOf(self));
        ownGradients = null;
        ExchangeLayout layout =
                GroupExchange.layout(
                        state.replica(), view.group().size(), job.strategy(), evaluation.values());
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
            state.decide(job);
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

    /** Leaves; with a last checkpoint if this worker is asked for it. */
    void leave(boolean saveFirst) {
        reports.flush();
        if (saveFirst) {
            keeping.saveNow();
        }
        keeping.finish();
    }

    /** Leaves without a coordinator: what is held is kept where a run that is resumed finds it. */
    void leaveOrphaned() {
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
        keeping.close();
        gathering.part();
        endpoint.close();
        data.close();
        state.close();
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
            Ending ending =
                    new TrainingLoop(
                                    state,
                                    view,
                                    exchange,
                                    batches,
                                    new BorderDuties(view, session, keeping, reports, state))
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
        Places places = new Places(state.placed(), isOwn);
        return data.train(places, ranges, first, job.data().prefetchBatches());
    }

    private GroupExchange exchange(View view, Collective collective, ExchangeLayout layout) {
        return new GroupExchange(
                collective,
                layout,
                state.replica(),
                evaluation.evaluator(),
                evaluation.evaluator().owners(view.group(), view.plan().shares()),
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
