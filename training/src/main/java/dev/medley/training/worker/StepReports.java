package dev.medley.training.worker;

import dev.medley.base.Clock;
import dev.medley.base.NoiseSample;
import dev.medley.base.job.TrainSpec;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.peer.LinkTraffic;
import dev.medley.net.control.LinkBytes;
import dev.medley.net.control.Message;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.membership.View;
import dev.medley.tensor.Torch;
import dev.medley.training.loop.StepFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sends a worker's figures to the coordinator a few times a second, not with every step. */
final class StepReports {
    private static final long EVERY_NS = 200_000_000L;

    private final WorkerSession session;
    private final ExchangeEndpoint endpoint;
    private final TrainSpec train;
    private final Clock clock;
    private final List<WorkerStep> waiting = new ArrayList<>();
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

    void begin(View view) {
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
        waiting.add(
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
                        noise(figures, samples)));
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

    void flush() {
        if (!waiting.isEmpty()) {
            session.say(
                    new Message.Steps(
                            epoch,
                            waiting,
                            List.copyOf(links.values()),
                            endpoint.takeRelayed(epoch)));
            waiting.clear();
            links.clear();
        }
        sentNs = clock.nowNs();
    }
}
