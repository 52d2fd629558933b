package dev.medley.data.dataset;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.data.image.IdxPair;
import dev.medley.data.image.ImageFiles;
import dev.medley.data.shard.InputFiles;
import dev.medley.data.table.TableSummary;
import dev.medley.data.table.TableSummary.ColumnSummary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Describes a file or folder that no job has named yet. */
final class Describer {
    private static final int FEW_CLASSES = 20;
    private static final double MOSTLY = 0.5;

    private Describer() {}

    static Description describe(Path path) {
        DataFormat format = Inputs.detect(path.toString());
        try {
            return switch (format) {
                case CSV, PARQUET, JSONL, LIBSVM -> table(path, format);
                case IDX -> idx(path);
                case IMAGES -> images(path);
                default -> text(path);
            };
        } catch (IOException e) {
            throw InputFiles.broken(path, e);
        }
    }

    private static Description table(Path path, DataFormat format) throws IOException {
        ConfigException.check(
                Files.isRegularFile(path), "%s: is a folder; describe one file of it", path);
        TableSummary summary = TableSummary.of(path, format, TableSpec.defaults());
        List<Description.Column> columns = new ArrayList<>();
        summary.columns().forEach(c -> columns.add(column(c)));
        List<String> findings = new ArrayList<>(summary.findings());
        if (summary.badRows() > 0) {
            findings.add(
                    String.format(
                            Locale.ROOT,
                            "%,d rows cannot be read; train with data.table.bad_rows: skip, or"
                                    + " correct them; the first: %s",
                            summary.badRows(),
                            summary.firstBad()));
        }
        return new Description(
                path.toString(),
                format,
                summary.rows(),
                columns,
                findings,
                format == DataFormat.LIBSVM ? List.of() : suggestions(summary));
    }

    private static Description.Column column(ColumnSummary c) {
        TableSummary.Numbers numbers = c.numbers();
        return new Description.Column(
                c.name(),
                c.type(),
                c.missing(),
                c.different(),
                c.isEstimate(),
                c.least(),
                c.most(),
                numbers == null ? null : numbers.mean(),
                numbers == null ? null : numbers.deviation(),
                numbers == null ? List.of() : numbers.quartiles(),
                c.frequent().stream()
                        .map(f -> new Description.Frequent(f.value(), f.rows()))
                        .toList());
    }

    private static List<String> suggestions(TableSummary summary) {
        List<String> suggestions = new ArrayList<>();
        for (ColumnSummary c : summary.columns()) {
            if (c.type().equals(TableSummary.UNUSABLE)) {
                suggestions.add(
                        "'" + c.name() + "' holds lists, structures or bytes: it will be left out");
            } else if (c.different() == 0) {
                suggestions.add("'" + c.name() + "' has no values: it will be left out");
            } else if (c.different() == 1 && c.missing() == 0) {
                suggestions.add("'" + c.name() + "' has one value: it will be left out");
            } else if (c.isIdentifier()) {
                suggestions.add("'" + c.name() + "' looks like an identifier: it will be left out");
            } else if (c.missing() > MOSTLY * summary.rows()) {
                suggestions.add("'" + c.name() + "' is mostly missing: consider dropping it");
            }
        }
        List<ColumnSummary> candidates =
                summary.columns().stream()
                        .filter(c -> c.different() > 1 && c.different() <= FEW_CLASSES)
                        .filter(c -> !c.frequent().isEmpty())
                        .toList();
        if (!candidates.isEmpty()) {
            ColumnSummary last = candidates.get(candidates.size() - 1);
            suggestions.add(
                    "to predict '%s' (%d classes: %s) write  label: %s"
                            .formatted(
                                    last.name(),
                                    last.frequent().size(),
                                    balance(last),
                                    last.name()));
        }
        return suggestions;
    }

    /** The rows of each class. */
    private static String balance(ColumnSummary classes) {
        return classes.frequent().stream()
                .map(f -> String.format(Locale.ROOT, "%s %,d", f.value(), f.rows()))
                .collect(Collectors.joining(", "));
    }

    private static Description idx(Path path) {
        IdxPair.Splits splits = IdxPair.find(List.of(path.toString()), List.of());
        IdxPair.Summary train = splits.train().summary();
        List<String> findings = new ArrayList<>();
        findings.add(train.toText());
        if (splits.validation() != null) {
            findings.add("held out: " + splits.validation().summary().toText());
        }
        return new Description(
                path.toString(), DataFormat.IDX, train.images(), List.of(), findings, List.of());
    }

    private static Description images(Path path) {
        Map<String, Integer> classes = new TreeMap<>();
        Inputs inputs = Inputs.ofImages(path);
        List<Path> files = inputs.all();
        for (Path file : files) {
            classes.merge(ImageFiles.className(file), 1, Integer::sum);
        }
        List<String> findings = new ArrayList<>();
        findings.add("%d folders, which are the classes: %s".formatted(classes.size(), classes));
        if (!inputs.validation().isEmpty()) {
            findings.add("%,d of them are for validation".formatted(inputs.validation().size()));
        }
        findings.addAll(inputs.notes());
        return new Description(
                path.toString(), DataFormat.IMAGES, files.size(), List.of(), findings, List.of());
    }

    private static Description text(Path path) throws IOException {
        long bytes = 0;
        long lines = 0;
        Inputs inputs = Inputs.ofTexts(path);
        List<Path> files = inputs.all();
        byte[] buffer = new byte[1 << 16];
        for (Path file : files) {
            try (InputStream in = InputFiles.open(file)) {
                for (int count; (count = in.read(buffer)) > 0; bytes += count) {
                    for (int i = 0; i < count; i++) {
                        lines += buffer[i] == '\n' ? 1 : 0;
                    }
                }
            }
        }
        List<String> findings = new ArrayList<>();
        findings.add(String.format(Locale.ROOT, "%,d lines in %d file(s)", lines, files.size()));
        findings.addAll(inputs.notes());
        return new Description(
                path.toString(), DataFormat.TEXT, bytes, List.of(), findings, List.of());
    }
}
