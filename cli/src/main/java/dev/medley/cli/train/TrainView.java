package dev.medley.cli.train;

import dev.medley.api.run.RunProgress;
import dev.medley.base.Cursor;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.text.Units;
import dev.medley.cli.terminal.Terminal;
import dev.medley.data.dataset.PreparedData;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Shows a run as it goes: one live line for steps, and a line that stays for every evaluation,
 * plan, loss and warning. Where nobody watches, only what stays is written.
 *
 * <p>Thread: the coordinating thread.
 */
public final class TrainView implements RunProgress {
    private static final Set<RunEvent.Kind> SHOWN =
            Set.of(
                    RunEvent.Kind.RESUMED,
                    RunEvent.Kind.MACHINE,
                    RunEvent.Kind.LEFT,
                    RunEvent.Kind.LOST,
                    RunEvent.Kind.RESTARTED,
                    RunEvent.Kind.PLAN,
                    RunEvent.Kind.DISCARDED,
                    RunEvent.Kind.PRECISION,
                    RunEvent.Kind.WARNING);
    private static final double NEWEST = 0.1;
    private static final long REDRAW_MILLIS = 100;

    private final Terminal terminal;
    private JobSpec job;
    private final Interrupts interrupts;
    private final List<String> preface;
    private long trainSamples;
    private double samplesPerSecond;
    private long startedMillis;
    private long drawnMillis;
    private long epoch;
    private long samplesOfEpoch;
    private boolean isChanged;

    /**
     * A view of a run of {@code job}, which {@code interrupts} may end.
     *
     * @param preface lines to show when the data is found to be good
     */
    public TrainView(Terminal terminal, JobSpec job, Interrupts interrupts, List<String> preface) {
        this.terminal = terminal;
        this.job = job;
        this.interrupts = interrupts;
        this.preface = List.copyOf(preface);
    }

    @Override
    public void interruptible(Interruptible run) {
        interrupts.runIs(run);
    }

    @Override
    public void preparing(String phase, long done, long total) {
        terminal.live(total > 0 ? "%s  %d %%".formatted(phase, 100 * done / total) : phase);
    }

    @Override
    public void prepared(PreparedData data) {
        trainSamples = data.trainSamples();
        terminal.endLive();
        preface.forEach(terminal::say);
        terminal.say(
                "Data: %s samples to train on, %s to validate on"
                        .formatted(
                                Units.count(data.trainSamples()),
                                Units.count(data.validationSamples())));
        data.findings().sentences().forEach(s -> terminal.say("  " + s));
        data.findings().warnings().forEach(s -> terminal.say("  warning: " + s));
    }

    @Override
    public void serving(String figures, @Nullable String page) {
        terminal.say("Metrics: " + figures);
        if (page != null) {
            terminal.say("Live: " + page);
        }
    }

    @Override
    public void began(RunFolder folder) {
        terminal.say("Run: " + folder.path());
        int n = job.cluster().workers();
        if (job.cluster().join() != null) {
            return;
        }
        terminal.live("starting %d worker%s".formatted(n, n == 1 ? "" : "s"));
    }

    @Override
    public void decided(JobSpec chosen) {
        isChanged = !job.strategy().isOpen();
        job = chosen;
    }

    @Override
    public void stepped(StepRecord step) {
        if (startedMillis == 0) {
            startedMillis = step.wallMillis();
        }
        samplesOfEpoch =
                step.dataEpoch() == epoch ? samplesOfEpoch + step.samples() : step.samples();
        epoch = step.dataEpoch();
        double now = step.samplesPerSecond();
        samplesPerSecond =
                samplesPerSecond == 0 ? now : samplesPerSecond + NEWEST * (now - samplesPerSecond);
        if (terminal.isLive() && step.wallMillis() - drawnMillis >= REDRAW_MILLIS) {
            drawnMillis = step.wallMillis();
            terminal.live(line(step));
        }
    }

    private String line(StepRecord step) {
        double done = done(step);
        return "%s %s  %sloss %s  %s%s"
                .formatted(
                        word(),
                        Units.count(step.step()),
                        epochs(step),
                        Units.metric(step.loss()),
                        Units.samplesPerSecond(samplesPerSecond),
                        done > 0 ? "  " + Units.percent(done) + remaining(step, done) : "");
    }

    /** What lies between two exchanges: a step, or a round of several. */
    private String word() {
        return job.strategy().round().syncEvery() > 1 ? "round" : "step";
    }

    private String epochs(StepRecord step) {
        return trainSamples == 0 ? "" : "epoch %d  ".formatted(step.dataEpoch() + 1);
    }

    /** The part of the budget that is used up, by whichever limit is nearest. */
    private double done(StepRecord step) {
        Budget budget = job.train().budget();
        double part = 0;
        if (budget.steps() > 0) {
            double batches =
                    isUneven()
                            ? samplesSeen() / job.train().batch()
                            : (double) step.step() * job.strategy().round().syncEvery();
            part = batches / budget.steps();
        }
        if (budget.epochs() > 0 && trainSamples > 0) {
            Cursor next = Cursor.beforeStep(step.step() + 1, job.roundSamples(), trainSamples);
            double samples =
                    isUneven()
                            ? samplesSeen()
                            : (double) next.epoch() * trainSamples + next.position();
            double least = (double) budget.leastSteps() * job.train().batch();
            part = Math.max(part, samples / Math.max(least, budget.epochs() * trainSamples));
        }
        if (budget.seconds() > 0) {
            part = Math.max(part, (step.wallMillis() - startedMillis) / 1e3 / budget.seconds());
        }
        return Math.min(1, part);
    }

    /** Whether steps take unlike numbers of samples: the batch adapts, or the strategy changed. */
    private boolean isUneven() {
        return isChanged || job.train().batches().isAdaptive();
    }

    /** Where steps are uneven; a little less for the rest of the epoch in which a run goes on. */
    private double samplesSeen() {
        return (double) epoch * trainSamples + samplesOfEpoch;
    }

    private String remaining(StepRecord step, double done) {
        double spentNs = (step.wallMillis() - startedMillis) * 1e6;
        return spentNs < 2e9 || done < 0.02
                ? ""
                : ", about %s left".formatted(Units.duration(spentNs * (1 - done) / done));
    }

    @Override
    public void evaluated(EvaluationRecord evaluation) {
        Map<String, Double> figures = Figures.of(evaluation.metrics());
        String metrics =
                figures.keySet().stream()
                        .map(metric -> metric + " " + Figures.text(metric, figures))
                        .collect(Collectors.joining("  "));
        terminal.say(
                String.format(
                        Locale.ROOT,
                        "%s %,6d  validation  %s",
                        word(),
                        evaluation.step(),
                        metrics));
    }

    @Override
    public void happened(RunEvent event) {
        if (SHOWN.contains(event.kind())) {
            String line = "%s %,6d  %s".formatted(word(), event.step(), event.message());
            boolean isBad =
                    event.kind() == RunEvent.Kind.LOST || event.kind() == RunEvent.Kind.WARNING;
            terminal.say(isBad ? terminal.styled("yellow", line) : line);
        }
    }
}
