package dev.medley.kubernetes.run;

import dev.medley.api.run.RunProgress;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.PreparedData;
import dev.medley.kubernetes.resource.ProgressStatus;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says to a cluster how far a run is, at most once in ten seconds and when it ends. It hands on
 * what happens to another view. What a sink does not take is said in the log and tried again with
 * the next figures: a run does not wait for it.
 *
 * <p>Thread: the coordinating thread notes; a thread of its own tells.
 */
public final class PodProgress extends RunProgress.HandedOn implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PodProgress.class);
    private static final long EVERY_MILLIS = 10_000;
    private static final long LAST_MILLIS = 15_000;

    private final List<ProgressSink> sinks;
    private final OwnRun own;
    private final JobSpec job;
    private final Clock clock;
    private final AtomicReference<@Nullable ProgressStatus> news = new AtomicReference<>();
    private final Thread teller = new Thread(this::tellNews, "progress");

    private volatile boolean isClosed;
    private @Nullable RunFolder run;
    private double total = Double.NaN;
    private long done;
    private long step;
    private double loss = Double.NaN;
    private int workers;
    private long windowSamples;
    private long windowNs;
    private double samplesPerS;
    private long writtenMillis;

    /**
     * @param own whose run it is
     * @param view that people see in the pod's log
     */
    public PodProgress(
            List<ProgressSink> sinks, OwnRun own, JobSpec job, RunProgress view, Clock clock) {
        super(view);
        this.sinks = List.copyOf(sinks);
        this.own = own;
        this.job = job;
        this.clock = clock;
        teller.setDaemon(true);
        teller.start();
    }

    @Override
    public void prepared(PreparedData data) {
        Budget budget = job.train().budget();
        if (budget.epochs() > 0) {
            total = budget.epochs() * data.trainSamples();
        } else if (budget.steps() > 0) {
            total = (double) budget.steps() * job.train().batch();
        }
        super.prepared(data);
    }

    @Override
    public void began(RunFolder begun) {
        own.take(begun, job);
        run = begun;
        done = RunRecord.summary(begun).samples();
        note(null, null);
        super.began(begun);
    }

    @Override
    public void stepped(StepRecord record) {
        done += record.samples();
        step = record.step();
        loss = record.loss();
        workers = record.workers().size();
        windowSamples += record.samples();
        windowNs += record.stepNs();
        if (clock.wallMillis() - writtenMillis >= EVERY_MILLIS) {
            note(null, null);
        }
        super.stepped(record);
    }

    /** Says how the run ended. */
    public void ended(String outcome, String message) {
        note(outcome, message);
    }

    private void note(@Nullable String outcome, @Nullable String message) {
        writtenMillis = clock.wallMillis();
        if (windowNs > 0) {
            samplesPerS = windowSamples * 1e9 / windowNs;
            windowSamples = 0;
            windowNs = 0;
        }
        boolean isMeasured = samplesPerS > 0;
        boolean isBounded = total > 0;
        ProgressStatus said =
                new ProgressStatus(
                        run == null ? null : run.name(),
                        step,
                        done,
                        isBounded ? "%.0f %%".formatted(Math.min(100, 100 * done / total)) : null,
                        Double.isNaN(loss) ? null : String.format(Locale.ROOT, "%.4f", loss),
                        isMeasured ? String.format(Locale.ROOT, "%.1f", samplesPerS) : null,
                        isMeasured && isBounded
                                ? Math.round(Math.max(0, total - done) / samplesPerS)
                                : null,
                        workers,
                        outcome,
                        message,
                        Instant.ofEpochMilli(writtenMillis)
                                .truncatedTo(ChronoUnit.SECONDS)
                                .toString());
        synchronized (news) {
            news.set(said);
            news.notifyAll();
        }
    }

    private void tellNews() {
        try {
            while (true) {
                ProgressStatus said;
                synchronized (news) {
                    while (news.get() == null && !isClosed) {
                        news.wait();
                    }
                    said = news.getAndSet(null);
                }
                if (said == null) {
                    return; // Closed, and all is told.
                }
                for (ProgressSink sink : sinks) {
                    tell(sink, said);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("The last figures were not told", e);
        }
    }

    private static void tell(ProgressSink sink, ProgressStatus said) {
        try {
            sink.tell(said);
        } catch (RuntimeException e) {
            LOG.warn("How far the run is could not be told: {}", e.getMessage());
        }
    }

    /** Tells the last, as long as that takes no more than some seconds. */
    @Override
    public void close() {
        synchronized (news) {
            isClosed = true;
            news.notifyAll();
        }
        try {
            teller.join(LAST_MILLIS);
            teller.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
