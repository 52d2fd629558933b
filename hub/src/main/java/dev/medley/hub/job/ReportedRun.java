package dev.medley.hub.job;

import dev.medley.api.run.RunProgress;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.PreparedData;
import dev.medley.hub.job.JobFolder.Figures;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.WorkerNames;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes for the hub how far a job's run is, at most once a second, and hands on what happens to
 * another view. Belongs to the coordinating thread.
 */
public final class ReportedRun implements RunProgress {
    private static final long EVERY_MILLIS = 1000;

    private final JobFolder folder;
    private final int attempt;
    private final JobSpec job;
    private final RunProgress view;
    private final Clock clock;
    private final Map<Integer, long[]> window = new HashMap<>();
    private @Nullable RunFolder run;
    private double total = Double.NaN;
    private double done;
    private double loss = Double.NaN;
    private double firstStepEpochS = Double.NaN;
    private long windowSamples;
    private long windowNs;
    private long writtenMillis;

    /**
     * @param view that people see
     */
    public ReportedRun(JobFolder folder, int attempt, JobSpec job, RunProgress view, Clock clock) {
        this.folder = folder;
        this.attempt = attempt;
        this.job = job;
        this.view = view;
        this.clock = clock;
    }

    @Override
    public void preparing(String phase, long at, long of) {
        view.preparing(phase, at, of);
    }

    @Override
    public void prepared(PreparedData data) {
        Budget budget = job.train().budget();
        if (budget.epochs() > 0) {
            total = budget.epochs() * data.trainSamples();
        } else if (budget.steps() > 0) {
            total = (double) budget.steps() * job.train().batch();
        }
        view.prepared(data);
    }

    @Override
    public void serving(String figures, @Nullable String page) {
        view.serving(figures, page);
    }

    @Override
    public void began(RunFolder begun) {
        run = begun;
        done = RunRecord.summary(begun).samples();
        write();
        view.began(begun);
    }

    @Override
    public void decided(JobSpec decided) {
        view.decided(decided);
    }

    @Override
    public void stepped(StepRecord step) {
        done += step.samples();
        loss = step.loss();
        windowSamples += step.samples();
        windowNs += step.stepNs();
        for (WorkerTimes times : step.workers()) {
            long[] sums = window.computeIfAbsent(times.worker(), w -> new long[2]);
            sums[0] += times.samples();
            sums[1] += times.computeNs() + times.dataNs();
        }
        if (Double.isNaN(firstStepEpochS)) {
            firstStepEpochS = clock.wallMillis() / 1e3;
        }
        if (clock.wallMillis() - writtenMillis >= EVERY_MILLIS) {
            write();
        }
        view.stepped(step);
    }

    @Override
    public void evaluated(EvaluationRecord evaluation) {
        view.evaluated(evaluation);
    }

    @Override
    public void happened(RunEvent event) {
        view.happened(event);
    }

    @Override
    public void interruptible(Interruptible interruptible) {
        view.interruptible(interruptible);
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
        Map<String, Double> rates = new HashMap<>();
        if (!window.isEmpty()) {
            WorkerNames names = RunRecord.names(begun);
            window.forEach(
                    (worker, sums) -> {
                        String machine = names.machine(worker);
                        if (!machine.isEmpty() && sums[0] > 0 && sums[1] > 0) {
                            rates.put(machine, sums[0] * 1e9 / sums[1]);
                        }
                    });
        }
        double perSecond = windowNs > 0 ? windowSamples * 1e9 / windowNs : 0;
        folder.write(
                new Figures(
                        attempt,
                        begun.path().toAbsolutePath().toString(),
                        total,
                        done,
                        perSecond,
                        loss,
                        rates,
                        firstStepEpochS));
        window.clear();
        windowSamples = 0;
        windowNs = 0;
    }
}
