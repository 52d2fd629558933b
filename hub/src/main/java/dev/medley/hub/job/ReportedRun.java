package dev.medley.hub.job;

import dev.medley.api.run.RunProgress;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.PreparedData;
import dev.medley.hub.job.JobFolder.Figures;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.WorkerNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes for the hub how far a job's run is, at most once a second, and hands on what happens to
 * another view. Belongs to the coordinating thread.
 */
public final class ReportedRun extends RunProgress.HandedOn {
    private static final long EVERY_MILLIS = 1000;

    private final JobFolder folder;
    private final int attempt;
    private final JobSpec job;
    private final Clock clock;
    private @Nullable Window window;
    private int groupEpoch = -1;
    private long peakBytes;
    private @Nullable RunFolder run;
    private double total = Double.NaN;
    private double done;
    private double loss = Double.NaN;
    private double firstStepEpochS = Double.NaN;
    private long writtenMillis;

    /** Holds what one group of workers did since it was written last. */
    private static final class Window {
        private final List<Integer> workers;
        private long samples;
        private long ns;

        Window(List<Integer> workers) {
            this.workers = workers;
        }
    }

    /**
     * @param view that people see
     */
    public ReportedRun(JobFolder folder, int attempt, JobSpec job, RunProgress view, Clock clock) {
        super(view);
        this.folder = folder;
        this.attempt = attempt;
        this.job = job;
        this.clock = clock;
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
        run = begun;
        done = RunRecord.summary(begun).samples();
        write();
        super.began(begun);
    }

    @Override
    public void stepped(StepRecord step) {
        done += step.samples();
        loss = step.loss();
        for (WorkerTimes times : step.workers()) {
            peakBytes = Math.max(peakBytes, times.residentBytes());
        }
        if (step.groupEpoch() != groupEpoch) {
            groupEpoch = step.groupEpoch();
            window = null;
        }
        if (window == null) {
            // The first step of a group warms up.
            window = new Window(step.workers().stream().map(WorkerTimes::worker).toList());
        } else {
            window.samples += step.samples();
            window.ns += step.stepNs();
        }
        if (Double.isNaN(firstStepEpochS)) {
            firstStepEpochS = clock.wallMillis() / 1e3;
        }
        if (clock.wallMillis() - writtenMillis >= EVERY_MILLIS) {
            write();
        }
        super.stepped(step);
    }

    /** Writes the last figures. */
    public void finish() {
        if (run != null) {
            write();
        }
    }

    private void write() {
        RunFolder begun = run;
        if (begun == null) {
            return;
        }
        writtenMillis = clock.wallMillis();
        Window now = window;
        boolean isMeasured = now != null && now.ns > 0;
        List<String> machines = List.of();
        if (now != null && isMeasured) {
            WorkerNames names = RunRecord.names(begun);
            machines = now.workers.stream().map(names::machine).toList();
        }
        folder.write(
                new Figures(
                        attempt,
                        begun.path().toAbsolutePath().toString(),
                        total,
                        done,
                        now != null && isMeasured ? now.samples * 1e9 / now.ns : 0,
                        loss,
                        machines,
                        peakBytes,
                        firstStepEpochS));
        if (now != null) {
            window = new Window(now.workers);
        }
    }
}
