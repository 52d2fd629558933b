package dev.medley.cli.data;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.Settings;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Work;
import dev.medley.cli.option.JobWords;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.NamedData;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Description;
import dev.medley.data.dataset.PreparedData;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what Medley finds in data. */
@Command(
        name = "describe",
        header = "Show what Medley finds in data, and what a model would see of it.",
        description = {
            "",
            "FILE is a table, a folder of IDX files, of images or of texts, a text, or a job file,"
                    + " whose",
            "data: section is taken. Of a table it shows the columns; with a label also what a"
                    + " model",
            "would see of them. What is decoded on the way is kept for training."
        },
        footer = {
            "",
            "Examples:",
            "  medley data describe adult.csv",
            "  medley data describe adult.csv --label income",
            "  medley data describe data/fashion-mnist",
            "  medley data describe s3://bucket/adult.csv",
            "  medley data describe job.yaml --json"
        })
public final class DataDescribeCommand extends Options implements Callable<Integer> {
    /**
     * The description as scripts see it.
     *
     * @param file what lies in it; null for a job
     * @param model what a model would see; null for a table without a label
     */
    record Described(@Nullable Description file, @Nullable ModelView model) {}

    /** What a model would see of data. */
    record ModelView(
            DataFormat format,
            long trainSamples,
            long validationSamples,
            long badRows,
            Signature signature,
            List<Long> classCounts,
            List<String> sentences,
            List<String> warnings,
            String dataHash) {}

    @Mixin private JsonOption json = new JsonOption();

    @Parameters(arity = "1", paramLabel = "FILE", description = "Data, or a job file.")
    private String file = "";

    @Option(names = "--label", paramLabel = "COLUMN", description = "The column to predict.")
    private @Nullable String label;

    private final Terminal terminal;

    DataDescribeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        boolean isJob = file.endsWith(".yaml") || file.endsWith(".yml");
        Path data = isJob ? Path.of(file) : NamedData.here(file, terminal);
        Description found = isJob ? null : Datasets.describe(data);
        boolean isVague = found != null && !found.columns().isEmpty() && label == null;
        ModelView view = isVague ? null : view(isJob ? jobOfFile() : jobOn(data));
        if (!json.printed(terminal, new Described(found, view))) {
            if (found != null) {
                terminal.print(found.toText().stripTrailing());
            }
            if (found != null && view != null) {
                terminal.print("");
            }
            if (view != null) {
                print(view);
            }
        }
        return ExitCode.DONE;
    }

    private ModelView view(JobSpec job) {
        PreparedData data =
                JobRun.prepare(job, RunOptions.defaultCache(), NamedData.shown(terminal));
        terminal.endLive();
        return new ModelView(
                data.format(),
                data.trainSamples(),
                data.validationSamples(),
                data.findings().badRows(),
                data.signature(),
                data.findings().classCounts(),
                data.findings().sentences(),
                data.findings().warnings(),
                data.dataHash());
    }

    private JobSpec jobOfFile() {
        Settings said =
                label == null
                        ? Settings.NONE
                        : Settings.NONE.with("data.label", label, "--label " + label);
        JobFile job = JobFile.read(Path.of(file), said);
        job.requireFiles();
        return job.spec();
    }

    private JobSpec jobOn(Path data) {
        JobSpec any =
                JobFile.parse("describe", "data: x\nmodel: linear\n", Path.of(""), List.of())
                        .spec();
        DataSpec usual = any.data();
        DataSpec described =
                new DataSpec(
                        DataFormat.AUTO,
                        List.of(data.toAbsolutePath().normalize().toString()),
                        List.of(),
                        label,
                        usual.split(),
                        usual.table(),
                        usual.image(),
                        usual.text(),
                        usual.cache(),
                        usual.prefetchBatches(),
                        null);
        return new JobSpec(
                any.name(),
                new Work.Gradient(described, any.model(), any.train(), any.strategy()),
                any.cluster(),
                any.checkpoint(),
                any.seed());
    }

    private void print(ModelView d) {
        terminal.print("Format      " + JobWords.of(d.format()));
        terminal.print(
                String.format(
                        Locale.ROOT,
                        "Samples     %,d to train on, %,d to validate on%s",
                        d.trainSamples(),
                        d.validationSamples(),
                        d.badRows() > 0 ? ", %,d left out".formatted(d.badRows()) : ""));
        for (Signature.Input input : d.signature().inputs()) {
            terminal.print(
                    "Input       %s %s %s"
                            .formatted(input.name(), input.shape(), JobWords.of(input.type())));
        }
        Signature.Target target = d.signature().target();
        terminal.print("Target      " + describe(target));
        for (int i = 0; i < d.classCounts().size(); i++) {
            String name = i < target.labels().size() ? target.labels().get(i) : "class " + i;
            terminal.print(
                    String.format(Locale.ROOT, "    %-20s %,d", name, d.classCounts().get(i)));
        }
        d.sentences().forEach(terminal::print);
        d.warnings().forEach(warning -> terminal.print("warning: " + warning));
    }

    private static String describe(Signature.Target target) {
        return switch (target.kind()) {
            case BINARY -> "one of two classes";
            case CLASSES -> "one of %d classes".formatted(target.outputs());
            case VALUE -> "a number";
            case GRADE -> "a grade";
            case VALUES -> "%d numbers".formatted(target.outputs());
            case NONE -> "nothing";
            case TOKENS -> "the next of %d tokens".formatted(target.outputs());
        };
    }
}
