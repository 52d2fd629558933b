package dev.medley.cli.command;

import dev.medley.api.Dataset;
import dev.medley.api.TrainedModel;
import dev.medley.base.ConfigException;
import dev.medley.base.evaluation.ClassResults;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.job.DataSpec;
import dev.medley.cli.option.ModelAndDataOptions;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.cli.train.Figures;
import dev.medley.inference.report.ImportanceOptions;
import dev.medley.record.report.EvaluationPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Evaluates a trained model on data. */
@Command(
        name = "evaluate",
        header = "Compute a trained model's metrics on data that has the label.",
        description = {
            "",
            "The data is encoded exactly as in training: the fitted encoding is part of the model.",
            "Beside the metrics: what the samples of each class are taken for, curves,"
                    + " calibration,",
            "gain and lift, thresholds; residuals where a number is predicted."
        },
        footer = {
            "",
            "Examples:",
            "  medley evaluate runs/adult-20261121-101500/model adult-test.csv",
            "  medley evaluate latest adult-test.csv --report evaluation.html",
            "  medley evaluate latest adult-test.csv --importance --columns age,education",
            "  medley evaluate latest adult-test.csv --json > evaluation.json"
        })
public final class EvaluateCommand extends ModelAndDataOptions implements Callable<Integer> {
    @Option(
            names = "--report",
            paramLabel = "FILE.html",
            description = "Write a page with all of it, in charts and tables.")
    private @Nullable Path page;

    @Option(
            names = "--importance",
            description =
                    "How much each column of a table matters: how much worse the first metric"
                            + " becomes where it is permuted.")
    private boolean isImportanceAsked;

    @Option(
            names = "--columns",
            paramLabel = "COLUMN",
            split = ",",
            description = "With --importance: these alone (default: all that the model takes).")
    private List<String> columns = List.of();

    @Option(
            names = "--repeats",
            paramLabel = "N",
            description = "With --importance: how often each is permuted (default: 5).")
    private @Nullable Integer repeats;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "With --importance: of the permutations (default: 1).")
    private @Nullable Long seed;

    /** Prints to {@code terminal}. */
    public EvaluateCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() {
        ImportanceOptions importance = importance();
        requireFolderOf(page); // Before what may take long.
        try (TrainedModel model = TrainedModel.load(model())) {
            DataSpec spec = data(model);
            Dataset data = Dataset.of(spec);
            EvaluationReport report = model.evaluation(data);
            if (importance != null) {
                report =
                        report.with(
                                model.importance(
                                        data,
                                        importance,
                                        (phase, done, total) ->
                                                terminal.live(
                                                        "%s  %d of %d"
                                                                .formatted(phase, done, total))));
                terminal.endLive();
            }
            print(report);
            if (page != null) {
                String title = "%s on %s".formatted(name(model), name(spec));
                terminal.say("Report  " + EvaluationPage.write(page, title, report));
            }
        }
        return ExitCode.DONE;
    }

    private @Nullable ImportanceOptions importance() {
        ImportanceOptions usual = ImportanceOptions.defaults();
        ConfigException.check(
                isImportanceAsked || (columns.isEmpty() && repeats == null && seed == null),
                "--columns, --repeats and --seed go with --importance: give it, too");
        return isImportanceAsked
                ? new ImportanceOptions(
                        columns,
                        repeats == null ? usual.repeats() : repeats,
                        seed == null ? usual.seed() : seed)
                : null;
    }

    private static void requireFolderOf(@Nullable Path file) {
        Path folder = file == null ? null : file.toAbsolutePath().getParent();
        ConfigException.check(
                folder == null || Files.isDirectory(folder),
                "--report %s: there is no such folder, make it first",
                file);
    }

    private static String name(TrainedModel model) {
        return model.description().provenance().run();
    }

    private static String name(DataSpec spec) {
        return String.valueOf(Path.of(spec.train().get(0)).getFileName());
    }

    private void print(EvaluationReport report) {
        Map<String, Double> figures = new LinkedHashMap<>();
        report.metrics().forEach((name, f) -> figures.put(name, f == null ? Double.NaN : f));
        if (printedJson(asJson(report))) {
            figures.keySet().forEach(metric -> sayWhyNone(metric, figures));
            return;
        }
        for (String metric : figures.keySet()) {
            terminal.print("%-12s %s".formatted(metric, Figures.text(metric, figures)));
        }
        report.sections().forEach(this::print);
    }

    private void print(EvaluationSection section) {
        terminal.print("");
        terminal.print(terminal.styled("bold", section.title()));
        section.sentences().forEach(terminal::print);
        section.tables()
                .forEach(
                        table -> {
                            terminal.print("");
                            terminal.print(table.title());
                            terminal.print(table.text().stripTrailing());
                        });
    }

    private void sayWhyNone(String metric, Map<String, Double> metrics) {
        Figures.why(metric, metrics)
                .ifPresent(why -> terminal.say(metric + " is not a number: " + why));
    }

    /** The figures and the matrix at the top, for scripts, and all that there is below them. */
    private static Map<String, @Nullable Object> asJson(EvaluationReport report) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>(report.metrics());
        report.section(ClassResults.class)
                .ifPresent(classes -> json.put("confusion", classes.confusion()));
        json.put("report", report);
        return json;
    }
}
