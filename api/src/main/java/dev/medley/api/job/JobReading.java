package dev.medley.api.job;

import dev.medley.api.yaml.Complaints;
import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.Quantity;
import dev.medley.api.yaml.SourcePosition;
import dev.medley.api.yaml.SourcePositions;
import dev.medley.base.ConfigException;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.FamilyRules;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.Work;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.track.TrackSpec;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns a tree of the right form into a {@link JobSpec}, which is the last stage of reading. The
 * records refuse values that contradict each other; their messages name the keys, which gives the
 * places.
 */
final class JobReading {
    static final String SMALLEST =
            "the smallest job has data: (train: and label:) and model: keys, see medley train"
                    + " --help";

    private static final Pattern KEY = Pattern.compile("[a-z]\\w*(?:\\.[a-z]\\w*)*");
    private static final Pattern NANOSECONDS = Pattern.compile("(\\d+) ns");

    private final Section root;
    private final SourcePositions places;
    private final Complaints complaints;

    JobReading(ObjectNode root, SourcePositions places, Complaints complaints) {
        this.root = new Section(root, Pointer.ROOT, places, complaints);
        this.places = places;
        this.complaints = complaints;
    }

    /** The name of a job without one: that of its file, without what names cannot have. */
    static String nameOf(@Nullable Path fileName) {
        String stem = ("" + fileName).replaceFirst("\\.[^.]*$", "");
        String plain = stem.replaceAll("[^A-Za-z0-9._-]+", "-").replaceFirst("^[._-]+", "");
        return plain.isEmpty() ? "job" : plain.substring(0, Math.min(64, plain.length()));
    }

    JobSpec read(Path folder, String name) {
        new Relations(root).check();
        complaints.throwIfAny();
        ModelSpec model = attempt("model", () -> ModelSection.read(root.section("model"), folder));
        ModelSpec named = model != null ? model : new ModelSpec.Linear();
        FamilyDefaults family =
                !root.section("data").has("series")
                        ? FamilyDefaults.of(named)
                        : root.section("data").has("label")
                                ? FamilyDefaults.ofSequences(named)
                                : FamilyDefaults.ofForecasts(named);
        DataSection section =
                new DataSection(root.section("data"), folder, FamilyDefaults.unit(named));
        DataSpec found = attempt("data", () -> FamilyRules.data(named, section.read(family)));
        TrainSpec asked =
                attempt("train", () -> new TrainSection(root.section("train"), family).read());
        TrainSpec train = asked == null ? null : FamilyRules.train(named, asked);
        boolean areCounts = asked != null && asked.loss().kind() == TrainSpec.LossKind.POISSON;
        DataSpec data = found != null && areCounts ? found.ofCounts() : found;
        ClusterSpec cluster =
                attempt("cluster", () -> RunSections.cluster(root.section("cluster"), folder));
        StrategySpec strategy =
                attempt("strategy", () -> RunSections.strategy(root.section("strategy")));
        CheckpointSpec checkpoint =
                attempt("checkpoint", () -> RunSections.checkpoint(root.section("checkpoint")));
        TrackSpec track =
                root.has("track")
                        ? attempt("track", () -> RunSections.track(root.section("track"), folder))
                        : null;
        complaints.throwIfAny();
        JobSpec job =
                attempt(
                        "",
                        () ->
                                new JobSpec(
                                        root.text("name", name),
                                        new Work.Gradient(
                                                there(data),
                                                there(model),
                                                there(train),
                                                there(strategy)),
                                        there(cluster),
                                        there(checkpoint),
                                        root.integer("seed", 1),
                                        track));
        complaints.throwIfAny();
        return there(job);
    }

    private static <T> T there(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("a section is missing although nothing was wrong");
        }
        return value;
    }

    /** What {@code reader} gives; null after a complaint at the keys that its message names. */
    private <T> @Nullable T attempt(String section, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (ConfigException e) {
            String message = e.getMessage() == null ? "" : e.getMessage();
            complaints.add(placeOf(message, section), people(message));
            return null;
        }
    }

    private SourcePosition placeOf(String message, String section) {
        return KEY.matcher(message)
                .results()
                .map(MatchResult::group)
                .flatMap(
                        key ->
                                java.util.stream.Stream.of(
                                        Pointer.ofPath(key), Pointer.ofPath(section + "." + key)))
                .filter(places::has)
                .max(
                        java.util.Comparator.comparingInt(
                                p -> (int) p.chars().filter(c -> c == '/').count()))
                .map(places::ofKey)
                .orElseGet(() -> places.ofKey(section.isEmpty() ? "" : Pointer.ofPath(section)));
    }

    /** Nanoseconds of a record's message as durations of a job file. */
    private static String people(String message) {
        Matcher matcher = NANOSECONDS.matcher(message);
        return matcher.replaceAll(m -> Quantity.duration(Long.parseLong(m.group(1))));
    }
}
