package dev.medley.data.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The whole of what comes out of a table, as lines of a text that is kept beside it. {@code
 * -Dmedley.golden=write} writes those texts anew: read what changed before it is kept.
 */
final class Golden {
    private static final Path KEPT =
            Path.of(System.getProperty("medley.root", ".."))
                    .toAbsolutePath()
                    .resolve("data/src/test/resources/tables");

    private static final Pattern LISTS = Pattern.compile("\\[((-?[0-9.E-]+,){5,}-?[0-9.E-]+)]");

    private final String name;
    private final Path folder;
    private final List<String> lines = new ArrayList<>();

    /** For the text {@code name}, of tables in {@code folder}. */
    Golden(String name, Path folder) {
        this.name = name;
        this.folder = folder;
    }

    /** A kept table, copied to where its caches and predictions may be. */
    Path table(String file) throws IOException {
        Path copy = folder.resolve(file);
        if (!Files.exists(copy)) {
            Files.copy(KEPT.resolve(file), copy);
        }
        return copy;
    }

    /** A line, without the places of files and with long numbers cut to digits that count. */
    Golden say(String line) {
        lines.add(line.replace(folder.toString(), "DIR"));
        return this;
    }

    /** What was found in files and how, and rows as a model sees them. */
    void data(String title, PreparedData data, int rows) {
        say("").say("== " + title);
        say(shortened(Json.line(data.signature())));
        if (data.encoding() instanceof TableEncoding table) {
            table.columns().forEach(column -> say(shortened(Json.line(column))));
            say(Json.line(table.label()));
            say("%s %s %s".formatted(table.csv(), table.weight(), table.missing()));
        } else {
            say(Json.line(data.encoding()));
        }
        say("bad rows " + data.findings().badRows() + ", targets " + data.findings().targets());
        say("classes " + data.findings().classCounts());
        data.findings().sentences().forEach(sentence -> say("- " + sentence));
        data.findings().warnings().forEach(warning -> say("! " + warning));
        try (TrainingData open = TrainingData.open(data, 1, Clock.system())) {
            if (data.trainSamples() > 0) {
                try (BatchStream stream = open.asItLies(0, data.trainSamples(), 1 << 10)) {
                    batch("train", stream.next(), rows);
                }
            }
            if (data.validationSamples() > 0) {
                batch("validation", open.validation(0, data.validationSamples()), rows);
            }
        }
    }

    /** Of long lists of numbers how many there are, the first and last ones, and their sum. */
    private static String shortened(String json) {
        return LISTS.matcher(json)
                .replaceAll(
                        list -> {
                            String[] all = list.group(1).split(",");
                            double sum = Arrays.stream(all).mapToDouble(Double::parseDouble).sum();
                            return "[%d: %s, %s … %s, sum %s]"
                                    .formatted(
                                            all.length,
                                            all[0],
                                            all[1],
                                            all[all.length - 1],
                                            digits(sum));
                        });
    }

    private void batch(String split, Batch batch, int rows) {
        say(split + ", " + batch.samples() + " rows");
        for (int row = 0; row < Math.min(rows, batch.samples()); row++) {
            StringBuilder line = new StringBuilder();
            for (HostArray input : batch.inputs()) {
                line.append(values(input, row)).append("| ");
            }
            line.append("-> ").append(values(batch.target(), row));
            if (batch.weights() != null) {
                line.append("x ").append(values(batch.weights(), row));
            }
            say(line.toString().stripTrailing());
        }
        StringBuilder sums = new StringBuilder("sums");
        batch.inputs().forEach(input -> sums.append(' ').append(sum(input)));
        say(sums + " -> " + sum(batch.target()));
    }

    private static String values(HostArray array, int row) {
        HostArray one = array.rows(row, row + 1);
        StringBuilder line = new StringBuilder();
        if (one.type() == ElementType.INT64) {
            for (long value : Given.longs(one)) {
                line.append(value).append(' ');
            }
        } else {
            for (float value : Given.floats(one)) {
                line.append(digits(value)).append(' ');
            }
        }
        return line.toString();
    }

    private static String sum(HostArray array) {
        double sum = 0;
        if (array.type() == ElementType.INT64) {
            for (long value : Given.longs(array)) {
                sum += value;
            }
        } else {
            for (float value : Given.floats(array)) {
                sum += Float.isNaN(value) ? 0 : value;
            }
        }
        return digits(sum);
    }

    /** Four digits: the same on every machine. */
    static String digits(double value) {
        double near = Math.abs(value) < 1e-6 ? 0 : value;
        String text = String.format(Locale.ROOT, "%.4g", near + 0.0);
        return text.contains("e") || !text.contains(".")
                ? text
                : text.replaceAll("0+$", "").replaceAll("[.]$", "");
    }

    /** What a description of a table has. */
    void described(Path file) throws IOException {
        TableSummary summary = TableSummary.of(file, Datasets.formatOf(file), TableSpec.defaults());
        say("").say("== " + file.getFileName());
        say("%d rows, %d bad".formatted(summary.rows(), summary.badRows()));
        for (TableSummary.ColumnSummary c : summary.columns()) {
            say(
                    "%s: %s, %d missing, %d different, estimate %s, identifier %s, %s to %s"
                            .formatted(
                                    c.name(),
                                    c.type(),
                                    c.missing(),
                                    c.different(),
                                    c.isEstimate(),
                                    c.isIdentifier(),
                                    c.least(),
                                    c.most()));
            TableSummary.Numbers n = c.numbers();
            if (n != null) {
                say(
                        "  mean %s deviation %s quartiles %s"
                                .formatted(
                                        digits(n.mean()),
                                        digits(n.deviation()),
                                        n.quartiles().stream().map(Golden::digits).toList()));
            }
            say("  " + c.frequent().stream().map(Json::line).toList());
        }
        summary.findings().forEach(finding -> say("- " + finding));
    }

    /** What is said of a table that cannot be used. */
    void refused(String title, Callable<?> attempt) throws Exception {
        String said;
        try {
            said = "no complaint: " + attempt.call();
        } catch (ConfigException e) {
            said = String.valueOf(e.getMessage());
        }
        say("[" + title + "] " + said);
    }

    /** The same of a table's data, and without its bad rows where the message advises that. */
    void skipping(String title, Given given, Function<Given, PreparedData> attempt)
            throws Exception {
        refused(title, () -> found(attempt.apply(given)));
        if (lines.get(lines.size() - 1).endsWith("skip to leave such rows out")) {
            Given skipped = given.badRows(BadRows.SKIP);
            refused(title + ", skip", () -> found(attempt.apply(skipped)));
        }
    }

    /** What was said of data that can be used. */
    static String found(PreparedData data) {
        return "%d bad rows of %s, %s, warned %s"
                .formatted(
                        data.findings().badRows(),
                        data.trainSamples() + data.validationSamples() + data.findings().badRows(),
                        data.findings().sentences(),
                        data.findings().warnings());
    }

    /** The text is as it is kept. */
    void compare() throws IOException {
        Path kept = KEPT.resolve(name + ".txt");
        String text = String.join("\n", lines) + "\n";
        if ("write".equals(System.getProperty("medley.golden"))) {
            Files.writeString(kept, text);
        }
        assertThat(text.lines().toList()).containsExactlyElementsOf(Files.readAllLines(kept));
    }
}
