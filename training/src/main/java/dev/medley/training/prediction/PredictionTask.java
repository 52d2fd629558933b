package dev.medley.training.prediction;

import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.Work;
import dev.medley.base.memory.HostArray;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.inference.model.LoadedModel;
import dev.medley.net.control.Message;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.tensor.Torch;
import dev.medley.worker.Task;
import dev.medley.worker.TaskStart;
import dev.medley.worker.WorkerSession;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Predicts the blocks of its share in each step, at its own pace: members exchange nothing. A step
 * counts as applied when the coordinator has recorded it, so that a group never goes on beyond a
 * block whose outputs are lost. Nobody is more than some steps ahead of that, which bounds the
 * outputs that wait.
 *
 * <p>Thread: the worker's.
 */
public final class PredictionTask implements Task {
    /** Steps that a member may compute beyond the last that is recorded. */
    public static final int MOST_AHEAD = 2;

    private final PredictionBlocks blocks;
    private final TrainingData data;
    private final LoadedModel model;
    private final WorkerId self;
    private final WorkerSettings place;
    private final WorkerSession session;
    private final Seat seat;
    private final Clock clock;

    private PredictionTask(
            PredictionOrder order, TrainingData data, LoadedModel model, TaskStart start) {
        this.blocks = order.blocks();
        this.data = data;
        this.model = model;
        this.self = start.self();
        this.place = start.place();
        this.session = start.life().session();
        this.seat = start.life().seat();
        this.clock = start.life().clock();
    }

    /** Loads the model and opens the data. */
    public static PredictionTask open(TaskStart start) {
        PredictionOrder order = Json.bindWhole(start.welcome().assignment(), PredictionOrder.class);
        start.requireOwn(order.job());
        if (!(order.job().work() instanceof Work.Prediction work)) {
            throw new IllegalStateException("a prediction was named: " + order.job().work());
        }
        int threads = Math.max(1, order.job().cluster().threads());
        LoadedModel model = LoadedModel.load(Path.of(work.trained()), threads);
        try {
            TrainingData data = model.open(order.data());
            start.life().seat().hold(new Progress(0, false));
            return new PredictionTask(order, data, model, start);
        } catch (RuntimeException | Error e) {
            model.close();
            throw e;
        }
    }

    /** With the time of a block, the second one: in the first all is compiled and read. */
    @Override
    public Readiness ready(TrialScope trial, IntConsumer trying) {
        Member member =
                new Member(
                        self,
                        ExchangeEndpoint.hostKey(),
                        place.site(),
                        place.advertise(),
                        0,
                        Torch.kernelKey());
        trying.accept(1);
        Message.Tried first = tryAlone(1);
        Message.Tried second = tryAlone(1);
        List<Message.Tried> tried = List.of(first.ns() < second.ns() ? first : second);
        return new Readiness(member, seat.progress(), tried, List.of());
    }

    /** So many blocks, by the time of one. */
    @Override
    public Message.Tried tryAlone(int samples) {
        long beginNs = clock.nowNs();
        PredictedBlock unused = compute(0);
        return new Message.Tried(samples, Math.max(1, (clock.nowNs() - beginNs) * samples));
    }

    @Override
    public void take(View view) {
        int epoch = view.group().epoch();
        if (!seat.enter(epoch) || !seat.apply(epoch, view.committed(), () -> {})) {
            return;
        }
        try {
            predict(view, epoch);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while predicting", e);
        }
    }

    private void predict(View view, int epoch) throws InterruptedException {
        long recorded = view.committed().step();
        long next = recorded + 1;
        while (recorded < blocks.lastStep()) {
            if (next <= Math.min(blocks.lastStep(), recorded + MOST_AHEAD)) {
                step(view, next++);
                recorded = Math.max(recorded, session.recordedStep());
            } else {
                recorded = Math.max(recorded, session.awaitRecorded(recorded, epoch));
            }
            next = Math.max(next, recorded + 1);
            boolean isOpen = seat.apply(epoch, new Progress(recorded, false), () -> {});
            if (!isOpen) {
                return; // The coordinator has been told on another thread.
            }
            if (session.isPauseWanted(epoch)) {
                session.say(new Message.Sealed(epoch, seat.seal(epoch)));
                return;
            }
        }
        session.say(new Message.Finished(epoch, blocks.lastStep(), "", "all is predicted"));
    }

    private void step(View view, long step) {
        Plan plan = view.plan();
        int epoch = view.group().epoch();
        int rank = view.group().rankOf(self);
        long beginNs = clock.nowNs();
        long from = blocks.from(step, plan, rank);
        long to = blocks.to(step, plan, rank);
        long block = from;
        for (; block < to && isWanted(epoch); block++) {
            session.say(new Message.Noted(PredictedBlock.KIND, Json.tree(compute(block))));
        }
        if (block >= to && seat.isOpen(epoch)) {
            long tookNs = clock.nowNs() - beginNs;
            int share = (int) (to - from);
            WorkerStep figures = figures(step, plan, share, tookNs);
            session.say(new Message.Steps(epoch, List.of(figures), List.of(), List.of()));
        }
    }

    /** What is computed of a step that ends before it is whole is thrown away. */
    private boolean isWanted(int epoch) {
        return seat.isOpen(epoch) && !session.isPauseWanted(epoch);
    }

    private WorkerStep figures(long step, Plan plan, int share, long tookNs) {
        long ofStep = blocks.first(step + 1) - blocks.first(step);
        long wallMillis = clock.wallMillis();
        return new WorkerStep(
                step,
                plan.version(),
                0,
                0,
                0,
                ofStep,
                share,
                wallMillis,
                tookNs,
                tookNs,
                0,
                0,
                0,
                0,
                0,
                0,
                null);
    }

    private PredictedBlock compute(long block) {
        long from = blocks.firstSample(block);
        long to = blocks.firstSample(block + 1);
        HostArray outputs = model.predict(data.validation(from, to));
        return PredictedBlock.of(block, (int) (to - from), outputs.data().buffer().asFloatBuffer());
    }

    @Override
    public void leave() {}

    @Override
    public void saveAndLeave() {}

    @Override
    public void leaveOrphaned() {}

    @Override
    public void close() {
        data.close();
        model.close();
    }
}
