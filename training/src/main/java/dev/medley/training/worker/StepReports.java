package dev.medley.training.worker;

import dev.medley.base.NoiseSample;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.time.Clock;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.peer.LinkTraffic;
import dev.medley.net.control.LinkBytes;
import dev.medley.net.control.Message;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.membership.View;
import dev.medley.tensor.Torch;
import dev.medley.training.loop.StepFigures;
import dev.medley.worker.WorkerSession;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends a worker's figures to the coordinator a few times a second, not with every step. They are
 * kept until the coordinator confirms that it has recorded them: figures that it never got go into
 * the next checkpoint. While it is silent they wait here.
 */
final class StepReports implements Keeping.Figures {
    private static final long EVERY_NS = 200_000_000L;
    private static final int MOST_AT_ONCE = 5_000;

    /**
     * Some minutes of quick steps; older ones are missing in the record then, which counts them.
     */
    private static final int MOST_UNRECORDED = 20_000;

    private final WorkerSession session;
    private final ExchangeEndpoint endpoint;
    private final TrainSpec train;
    private final Clock clock;
    private final Deque<WorkerStep> unrecorded = new ArrayDeque<>();
    private final List<WorkerStep> waiting = new ArrayList<>(); // The last of the unrecorded.
    private final Map<Integer, LinkBytes> links = new TreeMap<>();
    private long sentNs;
    private int epoch;
    private long residentBytes;

    StepReports(WorkerSession session, ExchangeEndpoint endpoint, TrainSpec train, Clock clock) {
        this.session = session;
        this.endpoint = endpoint;
        this.train = train;
        this.clock = clock;
    }

    /** Steps beyond the state that the group begins with are void. */
    void begin(View view) {
        flush();
        long committed = view.committed().step();
        unrecorded.removeIf(step -> step.step() > committed);
        waiting.removeIf(step -> step.step() > committed);
        epoch = view.group().epoch();
        sentNs = clock.nowNs() - EVERY_NS;
    }

    void add(StepFigures figures) {
        long samples = figures.samples().all();
        figures.links().forEach(this::count);
        long nowNs = clock.nowNs();
        boolean due = nowNs - sentNs >= EVERY_NS;
        if (due) {
            residentBytes = Torch.residentBytes().orElse(0);
        }
        WorkerStep step =
                new WorkerStep(
                        figures.step(),
                        figures.planVersion(),
                        figures.loss(),
                        figures.learningRateFactor() * train.optimizer().learningRate(),
                        figures.gradientNorm(),
                        samples,
                        figures.samples().own(),
                        clock.wallMillis(),
                        figures.stepNs(),
                        figures.computeNs(),
                        figures.exchangeNs(),
                        figures.waitingNs(),
                        figures.dataNs(),
                        residentBytes,
                        figures.bytesSent(),
                        figures.bytesReceived(),
                        noise(figures, samples));
        waiting.add(step);
        unrecorded.add(step);
        forgetWhatIsRecorded();
        if (due) {
            flush();
        }
    }

    /** Of samples, where weights were measured. */
    static @Nullable NoiseSample noise(StepFigures figures, long samples) {
        NoiseSample noise = figures.noise();
        return noise == null ? null : noise.perSampleOf(figures.weight() / samples);
    }

    private void count(LinkTraffic link) {
        LinkBytes bytes = new LinkBytes(link.peer(), link.bytesSent(), link.bytesSpared());
        links.merge(
                link.peer(),
                bytes,
                (a, b) ->
                        new LinkBytes(
                                a.rank(),
                                a.sentBytes() + b.sentBytes(),
                                a.sparedBytes() + b.sparedBytes()));
    }

    @Override
    public void tell() {
        flush();
    }

    void flush() {
        sentNs = clock.nowNs();
        if (session.isCoordinatorSilent()) {
            return;
        }
        while (!waiting.isEmpty()) {
            List<WorkerStep> next = waiting.subList(0, Math.min(MOST_AT_ONCE, waiting.size()));
            session.say(
                    new Message.Steps(
                            epoch,
                            List.copyOf(next),
                            List.copyOf(links.values()),
                            endpoint.takeRelayed(epoch)));
            next.clear();
            links.clear();
        }
    }

    @Override
    public List<WorkerStep> unrecorded() {
        forgetWhatIsRecorded();
        return List.copyOf(unrecorded);
    }

    private void forgetWhatIsRecorded() {
        long recorded = session.recordedStep();
        while (!unrecorded.isEmpty()
                && (unrecorded.getFirst().step() <= recorded
                        || unrecorded.size() > MOST_UNRECORDED)) {
            unrecorded.removeFirst();
        }
        int tooMany = waiting.size() - MOST_UNRECORDED;
        if (tooMany > 0) {
            waiting.subList(0, tooMany).clear();
        }
    }
}
