package dev.medley.onnx.given;

import dev.medley.base.Seeds;
import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.CacheSpec;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.NumberScaling;
import dev.medley.base.job.DataSpec.Placement;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.HostArray;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.model.LoadedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table with all kinds of columns: numbers with gaps, flags, dates, categories few and many. New
 * rows have values that training has not seen, and lack some.
 */
public final class GivenTable {
    private static final int ROWS = 300;
    private static final int NEW_ROWS = 60;
    private static final long KEPT_BYTES = 2 << 20;

    /** The files of models by what they were trained for: rows and steps are always the same. */
    private static final Map<List<Object>, Map<String, byte[]>> TRAINED = new ConcurrentHashMap<>();

    private static final String[] COLOURS = {"red", "green", "blue", "1.0", "10", "True"};
    private static final String[] NEW_COLOURS = {"red", "mauve", "", "?", "1", "10.0", "true"};

    private final Path folder;
    private final String label;
    private final ModelSpec model;
    private final boolean areCounts;
    private final List<Row> rows;

    /** A row as people have it. */
    private record Row(
            @Nullable Double age,
            double size,
            @Nullable Boolean member,
            @Nullable LocalDateTime since,
            String colour,
            String town,
            String income,
            String kind,
            double hours) {}

    private GivenTable(Path folder, String label, ModelSpec model, boolean areCounts)
            throws Exception {
        this.folder = folder;
        this.label = label;
        this.model = model;
        this.areCounts = areCounts;
        write("train.csv", rows(ROWS, false));
        rows = rows(NEW_ROWS, true);
        write("new.csv", rows);
    }

    /** For a model that predicts a column; one without a name is none. */
    public static GivenTable in(Path folder, String label, ModelSpec model) throws Exception {
        return new GivenTable(folder, label, model, false);
    }

    /** For a model that predicts hours as the rate of counts. */
    public static GivenTable ofCounts(Path folder, ModelSpec model) throws Exception {
        return new GivenTable(folder, "hours", model, true);
    }

    private static List<Row> rows(int count, boolean areNew) {
        RandomGenerator random = Seeds.generator(areNew ? 5 : 4);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double age = 18 + random.nextInt(60);
            String[] colours = areNew ? NEW_COLOURS : COLOURS;
            String colour = colours[random.nextInt(colours.length)];
            int town = random.nextInt(areNew ? 45 : 40);
            double size = random.nextGaussian() * 1e6 + (areNew && i % 20 == 0 ? 1e9 : 0);
            double sum = age / 20 + size / 1e6 + (colour.equals("red") ? 2 : 0) + town % 3;
            LocalDateTime since =
                    LocalDateTime.of(1890, 1, 1, 0, 0)
                            .plusSeconds((long) (random.nextDouble() * 86_400L * 365 * 240));
            rows.add(
                    new Row(
                            random.nextInt(8) == 0 ? null : age,
                            size,
                            random.nextInt(9) == 0 ? null : random.nextBoolean(),
                            random.nextInt(9) == 0 ? null : since,
                            !areNew && random.nextInt(15) == 0 ? "" : colour,
                            "town " + town,
                            sum > 4 ? "high" : "low",
                            sum < 3 ? "a" : sum < 5 ? "b" : "c",
                            1000 + 40 * sum));
        }
        return rows;
    }

    private void write(String name, List<Row> some) throws Exception {
        List<String> lines = new ArrayList<>();
        lines.add("age,size,member,since,colour,town" + (label.isEmpty() ? "" : "," + label));
        for (Row row : some) {
            String truth =
                    switch (label) {
                        case "income" -> row.income();
                        case "kind" -> row.kind();
                        case "" -> "";
                        default -> "" + row.hours();
                    };
            lines.add(
                    String.join(
                            ",",
                            row.age() == null ? "" : "" + row.age(),
                            "" + row.size(),
                            row.member() == null ? "" : row.member() ? "yes" : "no",
                            row.since() == null ? "" : row.since().toString(),
                            row.colour(),
                            row.town() + (label.isEmpty() ? "" : "," + truth)));
        }
        Files.write(folder.resolve(name), lines);
    }

    private DataSpec spec(String file) {
        TableSpec table = TableSpec.defaults();
        DataSpec spec =
                new DataSpec(
                        DataFormat.CSV,
                        List.of(folder.resolve(file).toString()),
                        List.of(),
                        label.isEmpty() ? null : label,
                        SplitSpec.defaults(),
                        table,
                        ImageSpec.defaults(),
                        TextSpec.defaults(),
                        CacheSpec.defaults(),
                        2,
                        null,
                        Placement.EVERYWHERE,
                        Task.FOUND,
                        null,
                        null,
                        null);
        if (label.isEmpty()) {
            return spec.withoutLabel(table.scaled(NumberScaling.STANDARD));
        }
        DataSpec counted = areCounts ? spec.ofCounts() : spec;
        if (model instanceof ModelSpec.Factorization factorization) {
            return counted.forFactors(factorization.factors());
        }
        return model instanceof ModelSpec.Trees ? counted.forTrees() : counted;
    }

    /** A model of the rows to train with; one that this process has trained already is copied. */
    public LoadedModel trained(@Nullable DecisionThreshold threshold) throws Exception {
        Path written = folder.resolve("model");
        List<Object> what = Arrays.asList(label, model, areCounts, threshold);
        Map<String, byte[]> kept = TRAINED.get(what);
        if (kept != null) {
            for (Map.Entry<String, byte[]> file : kept.entrySet()) {
                Path copy = written.resolve(file.getKey());
                Files.createDirectories(copy.getParent());
                Files.write(copy, file.getValue());
            }
            return LoadedModel.load(written, 1);
        }
        LoadedModel trained = trainedAnew(threshold);
        try (Stream<Path> all = Files.walk(written)) {
            Map<String, byte[]> files = new TreeMap<>();
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(written.relativize(file).toString(), Files.readAllBytes(file));
            }
            if (files.values().stream().mapToLong(bytes -> bytes.length).sum() < KEPT_BYTES) {
                TRAINED.put(what, files);
            }
        }
        return trained;
    }

    private LoadedModel trainedAnew(@Nullable DecisionThreshold threshold) throws Exception {
        Path cache = folder.resolve("cache");
        PreparedData fitted =
                Datasets.prepare(spec("train.csv"), 1, cache, PreparationProgress.NONE);
        Encoding encoding = fitted.encoding();
        PreparedData all =
                Datasets.encode(encoding, spec("train.csv"), cache, PreparationProgress.NONE);
        try (TrainingData data = TrainingData.open(all, 1, Clock.system())) {
            return GivenModel.trained(
                    folder.resolve("model"), model, encoding, data.validation(0, ROWS), threshold);
        }
    }

    /** What a model says of the new rows, read from their file. */
    public HostArray predicted(LoadedModel model) {
        PreparedData encoded =
                model.encodeInputs(
                        spec("new.csv"), folder.resolve("cache"), PreparationProgress.NONE);
        try (TrainingData data = model.open(encoded)) {
            return model.predict(data.validation(0, NEW_ROWS));
        }
    }

    /** The file with the new rows. */
    public Path newRows() {
        return folder.resolve("new.csv");
    }

    /**
     * The new rows as other programs hold them: arrays [rows, 1] of doubles or texts, by column.
     */
    public Map<String, Object> arrays() {
        double[][] age = new double[NEW_ROWS][1];
        double[][] size = new double[NEW_ROWS][1];
        double[][] member = new double[NEW_ROWS][1];
        double[][] since = new double[NEW_ROWS][1];
        String[][] colour = new String[NEW_ROWS][1];
        String[][] town = new String[NEW_ROWS][1];
        for (int i = 0; i < NEW_ROWS; i++) {
            Row row = rows.get(i);
            age[i][0] = row.age() == null ? Double.NaN : row.age();
            size[i][0] = row.size();
            member[i][0] = row.member() == null ? Double.NaN : row.member() ? 1 : 0;
            since[i][0] =
                    row.since() == null ? Double.NaN : row.since().toEpochSecond(ZoneOffset.UTC);
            colour[i][0] = row.colour();
            town[i][0] = row.town();
        }
        Map<String, Object> arrays = new LinkedHashMap<>();
        arrays.put("age", age);
        arrays.put("size", size);
        arrays.put("member", member);
        arrays.put("since", since);
        arrays.put("colour", colour);
        arrays.put("town", town);
        return arrays;
    }
}
