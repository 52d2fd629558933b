package dev.medley.loop.spec;

import dev.medley.api.job.CheckedYaml;
import dev.medley.api.job.ClusterFile;
import dev.medley.api.job.Section;
import dev.medley.api.schema.JobSchema;
import dev.medley.api.yaml.Quantity;
import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import dev.medley.base.job.StoreUrl;
import dev.medley.loop.check.CheckSpec;
import dev.medley.loop.feature.FeatureClass;
import dev.medley.loop.feature.FeatureTable;
import dev.medley.serving.registry.CanaryGoals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file of a loop. Whatever is wrong with it is one {@link ConfigException} with a line
 * {@code file:line:column: message} for each error, in order.
 */
public final class LoopFile {
    private static final JobSchema SCHEMA =
            JobSchema.of("loop", LoopFile.class, "/dev/medley/loop.schema.json");
    private static final int LARGEST_BYTES = 4 << 20;
    private static final double USUAL_NEWEST = 0.2;
    private static final double USUAL_ALARMS = 0.05;
    private static final double USUAL_CONFIDENCE = 0.95;

    private static final double USUAL_SHARE = 0.1;
    private static final Duration USUAL_TRIAL = Duration.ofDays(14);

    private final CheckedYaml yaml;
    private final Section root;
    private final Path file;
    private final Path folder;

    private LoopFile(Path file, CheckedYaml yaml) {
        this.yaml = yaml;
        this.root = yaml.root();
        this.file = file;
        this.folder = file.toAbsolutePath().normalize().resolveSibling("");
    }

    /** Reads a file; relative paths in it begin at its folder. */
    public static LoopSpec read(Path file) {
        CheckedYaml yaml =
                CheckedYaml.read(file, SCHEMA, "a loop has name:, sources:, rows: and job:");
        return new LoopFile(file, yaml).read();
    }

    private LoopSpec read() {
        List<SourceSpec> sources = new ArrayList<>();
        Section given = root.section("sources");
        SourceReader reader = new SourceReader(folder);
        for (String name : given.keys()) {
            attempt(given, name, () -> sources.add(reader.read(name, given.section(name))));
        }
        List<FeatureTable> features = new ArrayList<>();
        Section definitions = root.section("features");
        for (String name : definitions.keys()) {
            attempt(
                    definitions,
                    name,
                    () -> features.add(feature(name, definitions.section(name), given.keys())));
        }
        List<RowsSpec> read = new ArrayList<>();
        attempt(root, "rows", () -> read.add(rows(root.section("rows"))));
        List<AgreedCheck> checks = new ArrayList<>();
        for (Section each : root.sections("checks")) {
            attempt(each, "check", () -> checks.add(check(each, given.keys(), definitions.keys())));
        }
        Section score = root.section("score");
        ScoreSpec scored =
                root.has("score") ? new ScoreSpec(sql(score), score.texts("key", List.of())) : null;
        List<DestinationSpec> destinations = new ArrayList<>();
        Section ends = root.section("destinations");
        for (String end : ends.keys()) {
            attempt(ends, end, () -> destinations.add(reader.destination(end, ends.section(end))));
        }
        Path job = path(root.text("job", ""));
        if (!Files.isRegularFile(job)) {
            root.complain("job", "job: there is no file %s".formatted(job));
        }
        RetrainSpec retrain = retrain(root.section("retrain"));
        PromotionSpec promotion =
                promotion(root.section("promote"), root.section("rows").has("label"));
        ContinuousSpec continuous = ContinuousReader.read(root, job);
        String snapshots = snapshots();
        yaml.throwIfAny();
        RowsSpec rows = read.get(0);
        String name = root.text("name", "");
        return new LoopSpec(
                name,
                text(file) + "\n" + text(job) + classes(features),
                memory(name, snapshots),
                root.has("every") ? Duration.ofNanos(root.duration("every", 0)) : null,
                sources,
                features,
                rows,
                scored,
                destinations,
                job,
                checks,
                drift(root.section("drift")),
                retrain,
                promotion,
                keep(root),
                continuous);
    }

    /** Which classes features are computed by: with others a run that was cut off is another. */
    private static String classes(List<FeatureTable> features) {
        return features.stream()
                .filter(feature -> feature.code() != null)
                .map(feature -> "\n" + feature.reference())
                .collect(Collectors.joining());
    }

    private static KeepSpec keep(Section root) {
        if (!root.has("keep")) {
            return KeepSpec.USUAL;
        }
        return root.text("keep", "").matches("\\d+")
                ? new KeepSpec((int) root.integer("keep", 0), null)
                : new KeepSpec(null, Duration.ofNanos(root.duration("keep", 0)));
    }

    private LoopSpec.Memory memory(String name, @Nullable String snapshots) {
        Path usual = folder.resolve(name + ".loop");
        if (root.has("state") && !root.isWord("state")) {
            return database(root.section("state"), usual, snapshots);
        }
        String state = root.text("state", usual.toString());
        boolean isUrl = state.startsWith("jdbc:") || state.startsWith("postgresql:");
        Path place = isUrl ? usual : path(state);
        Path registry =
                root.has("registry") ? path(root.text("registry", "")) : place.resolve("registry");
        String url = state.startsWith("jdbc:") ? state : "jdbc:" + state;
        return new LoopSpec.Memory(place, isUrl ? url : null, null, null, registry, snapshots);
    }

    /**
     * The history in a PostgreSQL; snapshots, models and files of runs are in a folder all the
     * same.
     */
    private LoopSpec.Memory database(Section state, Path usual, @Nullable String snapshots) {
        Path place = state.has("folder") ? path(state.text("folder", "")) : usual;
        String url = state.text("postgres", "");
        return new LoopSpec.Memory(
                place,
                url.startsWith("jdbc:") ? url : "jdbc:" + url,
                state.textOrNull("user"),
                SourceReader.secret(state, folder),
                root.has("registry") ? path(root.text("registry", "")) : place.resolve("registry"),
                snapshots);
    }

    private @Nullable String snapshots() {
        List<String> read = new ArrayList<>();
        String url = root.textOrNull("snapshots");
        if (url != null) {
            attempt(root, "snapshots", () -> read.add("" + StoreUrl.of("snapshots", url)));
        }
        return read.isEmpty() ? null : read.get(0);
    }

    private FeatureTable feature(String name, Section given, List<String> sources) {
        String kind = SourceReader.kind(given, List.of("sql", "java"), "how it is computed");
        int version = given.count("version", 1);
        List<String> key = given.texts("key", List.of());
        String at = given.text("at", "");
        String known = given.text("known", FeatureTable.KNOWN);
        Duration ttl = duration(given, "ttl");
        if (kind.equals("java")) {
            FeatureClass code = code(given, sources);
            return FeatureTable.computed(name, version, code, key, at, known, ttl);
        }
        for (String others : List.of("class_path", "from")) {
            ConfigException.check(
                    !given.has(others), "%s is for java: leave it out", given.path(others));
        }
        return new FeatureTable(name, version, sql(given), key, at, known, ttl);
    }

    private FeatureClass code(Section given, List<String> sources) {
        require(given, "from", "the sources whose history it reads");
        require(given, "class_path", "the jars or folders with the class");
        List<String> from = given.texts("from", List.of());
        for (String source : from) {
            ConfigException.check(
                    sources.contains(source),
                    "%s: there is no source '%s'; %sthere are %s",
                    given.path("from"),
                    source,
                    ClusterFile.meant(source, sources),
                    String.join(", ", sources));
        }
        return new FeatureClass(
                given.text("java", ""),
                given.texts("class_path", List.of()).stream().map(this::path).toList(),
                from);
    }

    private static void require(Section given, String key, String what) {
        ConfigException.check(given.has(key), "%s is missing: %s", given.path(key), what);
    }

    private static RowsSpec rows(Section given) {
        return new RowsSpec(
                sql(given),
                given.texts("key", List.of()),
                given.text("at", ""),
                given.textOrNull("label"),
                Duration.ofNanos(given.duration("delay", 0)));
    }

    private static AgreedCheck check(Section given, List<String> sources, List<String> features) {
        String table = given.text("table", "");
        List<String> known = new ArrayList<>(sources);
        known.add(AgreedCheck.ROWS);
        known.add(AgreedCheck.JOINED);
        if (!known.contains(table)) {
            throw new ConfigException(
                    "there is no source '%s' to check; %sthere are %s"
                            .formatted(
                                    table,
                                    features.contains(table)
                                            ? "columns of a feature are in table: joined; "
                                            : ClusterFile.meant(table, known),
                                    String.join(", ", known)));
        }
        CheckSpec check =
                new CheckSpec(
                        given.text("check", ""),
                        given.has("columns") ? given.texts("columns", List.of()) : null,
                        given.textOrNull("severity"),
                        given.has("least") ? given.number("least", 0) : null,
                        given.has("most") ? given.number("most", 0) : null,
                        given.textOrNull("max_age"),
                        given.has("values") ? given.texts("values", List.of()) : null,
                        given.textOrNull("target"));
        return new AgreedCheck(table, check.parsed());
    }

    private static DriftSpec drift(Section given) {
        double alarms = part(given, "alarms", USUAL_ALARMS);
        if (alarms <= 0 || alarms >= 1) {
            given.complain("alarms", "drift.alarms: between 0 % and 100 %, as 5%");
            alarms = USUAL_ALARMS;
        }
        return new DriftSpec(alarms, given.texts("leave_out", List.of()));
    }

    private static RetrainSpec retrain(Section given) {
        return new RetrainSpec(
                duration(given, "every"),
                given.has("rows") ? given.integer("rows", 0) : null,
                given.isTrue("drift"),
                given.has("loss") ? Quantity.percent(given.text("loss", "")) : null,
                given.isTrue("warm"));
    }

    private static PromotionSpec promotion(Section given, boolean hasLabel) {
        double newest = part(given, "newest", hasLabel ? USUAL_NEWEST : 0);
        double confidence = part(given, "confidence", USUAL_CONFIDENCE);
        if (newest >= 1 || (hasLabel && newest <= 0)) {
            given.complain("newest", "promote.newest: between 0 % and 100 %, as 20%");
        }
        if (confidence <= 0 || confidence >= 1) {
            given.complain("confidence", "promote.confidence: between 0 % and 100 %, as 95%");
        }
        boolean isOthers = given.isTrue("by_hand") || given.has("shadow") || given.has("canary");
        if (given.isTrue("refit") && isOthers) {
            given.complain(
                    "refit",
                    "promote.refit: trains what a run has promoted, and with by_hand, shadow or"
                            + " canary no run promotes at once; leave one of both out");
        }
        return new PromotionSpec(
                given.text("metric", "auc"),
                newest,
                confidence,
                given.number("margin", 0),
                given.isTrue("by_hand"),
                given.isTrue("refit"),
                trial(given));
    }

    private static @Nullable TrialSpec trial(Section given) {
        boolean isCanary = given.has("canary");
        if (!isCanary && !given.has("shadow")) {
            return null;
        }
        if (given.isTrue("by_hand")) {
            given.complain("by_hand", "promote says by_hand and a trial by servers: leave one out");
        }
        if (given.isTrue("refit")) {
            given.complain(
                    "refit",
                    "promote says refit and a trial by servers: what was trained again would not be"
                            + " what they tried; leave one out");
        }
        List<TrialSpec.Canary> canary = new ArrayList<>();
        if (isCanary) {
            attempt(given, "canary", () -> canary.add(canary(given.section("canary"))));
        }
        return new TrialSpec(duration(given, "shadow"), canary.isEmpty() ? null : canary.get(0));
    }

    private static TrialSpec.Canary canary(Section given) {
        double share = part(given, "share", USUAL_SHARE);
        if (share <= 0 || share >= 1) {
            throw new ConfigException("promote.canary.share: above 0 % and below 100 %, as 10%");
        }
        return new TrialSpec.Canary(
                share,
                Duration.ofNanos(given.duration("at_most", USUAL_TRIAL.toNanos())),
                new CanaryGoals(
                        given.text("metric", ""),
                        CanaryGoals.Better.HIGHER,
                        0,
                        1,
                        part(given, "margin", CanaryGoals.USUAL.margin()),
                        CanaryGoals.IfGood.PROMOTE));
    }

    private static double part(Section given, String key, double absent) {
        return given.has(key) ? Quantity.percent(given.text(key, "")) : absent;
    }

    private static @Nullable Duration duration(Section given, String key) {
        return given.has(key) ? Duration.ofNanos(given.duration(key, 0)) : null;
    }

    private static String text(Path file) {
        try {
            return NamedFile.text(file, LARGEST_BYTES);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private Path path(String text) {
        return folder.resolve(text).normalize();
    }

    /** A query that can be read; what it asks for is not known before there are tables. */
    private static String sql(Section given) {
        String sql = given.text("sql", "");
        attempt(given, "sql", () -> QuerySyntax.check(given.path("sql"), sql));
        return sql;
    }

    /** What is wrong inside becomes a complaint at {@code key}'s place. */
    private static void attempt(Section section, String key, Runnable read) {
        try {
            read.run();
        } catch (ConfigException e) {
            section.complain(key, String.valueOf(e.getMessage()));
        }
    }
}
