package dev.medley.spark.rows;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.data.shard.DiskBudget;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.shard.Workplace;
import dev.medley.data.table.TableIngest;
import dev.medley.data.table.labelled.LabelledTextIngest;
import dev.medley.data.table.term.TermFit;
import dev.medley.data.token.Tokens;
import dev.medley.store.file.AtomicFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fits an encoding on rows drawn of a DataFrame, as on a file with those rows. Columns are what
 * their types say: strings are categories, all others numbers.
 */
final class SampleFit {
    private SampleFit() {}

    /**
     * The encoding and what was found on the way.
     *
     * @param asked the data of the job, without files
     * @param terms columns that were fitted on all rows
     * @param given tokens of a pretrained model; null to learn them, where texts are cut into them
     * @throws ConfigException if nothing can be learnt from these rows
     */
    static Ingested of(
            RowSample sample,
            FrameColumns columns,
            DataSpec asked,
            Map<String, TermFit> terms,
            @Nullable Tokens given,
            long seed) {
        check(sample.count() > 0, "the DataFrame has no rows: nothing can be learnt");
        try {
            Path folder = Files.createTempDirectory("medley-fit-");
            try {
                Path file = folder.resolve("DataFrame.csv");
                List<String> lines = new ArrayList<>();
                lines.add(
                        String.join(
                                ",",
                                RowSample.header(
                                                columns,
                                                orEmpty(asked.label()),
                                                orEmpty(asked.weight()),
                                                orEmpty(asked.group()))
                                        .stream()
                                        .map(RowSample::quoted)
                                        .toList()));
                lines.addAll(sample.rows());
                Files.write(file, lines, StandardCharsets.UTF_8);
                Workplace place =
                        new Workplace(
                                folder,
                                seed,
                                new DiskBudget(asked.cache().diskBytes()),
                                PreparationProgress.NONE);
                DataSpec spec = of(asked, columns, file);
                return asked.text().column() == null
                        ? new TableIngest(spec, DataFormat.CSV, place, terms)
                                .ingest(List.of(file), List.of())
                        : new LabelledTextIngest(spec, DataFormat.CSV, place)
                                .ingest(given, List.of(file), List.of());
            } catch (ConfigException e) {
                // Of the file that the rows were put into nobody knows.
                throw new ConfigException(
                        String.valueOf(e.getMessage())
                                .replaceAll(
                                        Pattern.quote(folder.toString()) + "[^:,;]*(, row [^,;]*)?",
                                        "the DataFrame"),
                        e);
            } finally {
                AtomicFolder.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static DataSpec of(DataSpec asked, FrameColumns columns, Path file) {
        TableSpec table = asked.table();
        Set<String> numbers = new HashSet<>();
        Set<String> texts = new HashSet<>(table.categorical());
        for (FrameColumn column : columns.columns()) {
            if (table.terms().columns().contains(column.name())) {
                continue;
            }
            boolean isText = column.kind() == FrameColumn.Kind.TEXT;
            check(
                    column.kind() != FrameColumn.Kind.MOMENT || !texts.contains(column.name()),
                    "data.table.categorical=%s: a date or a timestamp is no category; cast it to a"
                            + " string",
                    column.name());
            if (isText || texts.contains(column.name())) {
                texts.add(column.name());
            } else if (column.kind() != FrameColumn.Kind.MOMENT) {
                numbers.add(column.name());
            }
        }
        texts.removeAll(table.drop());
        numbers.removeAll(table.drop());
        return new DataSpec(
                DataFormat.CSV,
                List.of(file.toString()),
                List.of(),
                asked.label(),
                new SplitSpec(SplitKind.RANDOM, 0, null),
                table.typed(List.copyOf(numbers), List.copyOf(texts)),
                asked.image(),
                asked.text(),
                asked.cache(),
                asked.prefetchBatches(),
                null,
                DataSpec.Placement.EVERYWHERE,
                asked.task(),
                asked.weight(),
                null,
                asked.group());
    }
}
