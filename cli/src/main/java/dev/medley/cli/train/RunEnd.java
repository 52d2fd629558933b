package dev.medley.cli.train;

import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.evaluation.ScoreCurves;
import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import dev.medley.base.text.Units;
import dev.medley.cli.terminal.Terminal;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.entry.WorkerTotals;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.StepWord;
import dev.medley.record.folder.WorkerNames;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints how a run ended: its figures, its workers, and where everything is. */
public final class RunEnd {
    private static final int MOST_RANGES = 5;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public RunEnd(Terminal terminal) {
        this.terminal = terminal;
    }

    /** How it ended, its figures, a table of its workers, and where everything is. */
    public void print(RunFolder folder, RunSummary summary) {
        StepWord word = StepWord.of(folder);
        terminal.print("");
        terminal.print(head(summary, word));
        terminal.print(
                "%s, %s samples in %s: %s"
                        .formatted(
                                word.counted(summary.steps()),
                                Units.count(summary.samples()),
                                Units.duration((double) summary.trainingNs()),
                                Units.samplesPerSecond(summary.samplesPerSecond())));
        if (summary.repeatedSteps() > 0) {
            terminal.print(
                    "Samples and time count %s %s again: the run went back to a checkpoint"
                            .formatted(Units.count(summary.repeatedSteps()), word.many()));
        }
        if (summary.missingSteps() > 0) {
            terminal.print(
                    "The figures of %s steps are missing, since those who had them were lost: %s"
                            .formatted(Units.count(summary.missingSteps()), ranges(summary)));
        }
        WorkerNames names = RunRecord.names(folder);
        summary.lossSentences(word.one()).forEach(loss -> terminal.print(names.in(loss)));
        if (!summary.betweenSites().isEmpty()) {
            terminal.print(summary.betweenSites());
        }
        if (!summary.throughRelays().isEmpty()) {
            terminal.print(summary.throughRelays());
        }
        metrics(summary, word);
        threshold(RunRecord.evaluation(folder));
        String advice = RunRecord.stillImproving(folder, summary);
        if (!advice.isEmpty()) {
            terminal.print(advice);
        }
        if (!summary.workers().isEmpty()) {
            terminal.print("");
            terminal.print(workers(summary.workers(), names).stripTrailing());
        }
        terminal.print("");
        if (Files.isDirectory(folder.model())) {
            terminal.print("Model   " + folder.model());
        }
        if (Files.exists(folder.report())) {
            terminal.print("Report  " + folder.report());
        }
        if (summary.resume() != null) {
            terminal.print("Resume  " + summary.resume());
        }
    }

    private static String ranges(RunSummary summary) {
        return summary.missing().stream()
                        .limit(MOST_RANGES)
                        .map(range -> "%d to %d".formatted(range.from(), range.to()))
                        .collect(Collectors.joining(", "))
                + (summary.missing().size() > MOST_RANGES ? " and others" : "");
    }

    private String head(RunSummary summary, StepWord word) {
        return switch (summary.state()) {
            case DONE -> terminal.styled("green,bold", "Done") + ": " + summary.message();
            case INTERRUPTED ->
                    terminal.styled("yellow,bold", "Interrupted")
                            + " after %s ".formatted(word.one())
                            + Units.count(summary.steps());
            case FAILED -> terminal.styled("red,bold", "Failed") + ": " + summary.message();
            case RUNNING -> "Running: " + summary.message();
            case VANISHED -> terminal.styled("red,bold", "Vanished") + ": " + summary.message();
        };
    }

    private void metrics(RunSummary summary, StepWord word) {
        Map<String, Double> figures = Figures.of(summary.metrics());
        int longest = summary.metrics().stream().mapToInt(m -> m.name().length()).max().orElse(0);
        for (MetricValue metric : summary.metrics()) {
            RunSummary.Best best = summary.best();
            boolean hasBetter =
                    best != null
                            && best.metric().name().equals(metric.name())
                            && best.metric().beats(metric);
            String note =
                    hasBetter && best != null
                            ? " (best: %s after %s %s)"
                                    .formatted(
                                            Units.metric(best.metric().value()),
                                            word.one(),
                                            Units.count(best.step()))
                            : "";
            terminal.print(
                    "Validation %s  %s%s"
                            .formatted(
                                    metric.name() + " ".repeat(longest - metric.name().length()),
                                    Figures.text(metric.name(), figures),
                                    note));
        }
        if (summary.metrics().isEmpty() && !Double.isNaN(summary.loss())) {
            terminal.print(
                    "Loss of the last %s  %s".formatted(word.one(), Units.metric(summary.loss())));
        }
    }

    private void threshold(@Nullable EvaluationReport report) {
        if (report != null) {
            report.section(ScoreCurves.class)
                    .map(ScoreCurves::decides)
                    .filter(sentence -> !sentence.isEmpty())
                    .ifPresent(terminal::print);
        }
    }

    /** One row a worker: what it did, where its time went. */
    static String workers(List<WorkerTotals> workers, WorkerNames names) {
        TextTable table = new TextTable().column("worker", Align.LEFT);
        for (String head :
                List.of(
                        "samples",
                        "compute",
                        "exchange",
                        "waiting",
                        "data",
                        "other",
                        "sent",
                        "memory")) {
            table.column(head, Align.RIGHT);
        }
        for (WorkerTotals w : workers) {
            double all = Math.max(1, w.stepNs());
            table.row(
                    List.of(
                            names.of(w.worker()),
                            Units.count(w.samples()),
                            Units.percent(w.computeNs() / all),
                            Units.percent(w.exchangeNs() / all),
                            Units.percent(w.waitingNs() / all),
                            Units.percent(w.dataNs() / all),
                            Units.percent(w.otherNs() / all),
                            Units.bytes((double) w.sentBytes()),
                            Units.bytes((double) w.peakResidentBytes())));
        }
        return table.text();
    }
}
