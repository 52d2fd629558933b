package dev.medley.plan.efficiency;

import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.efficiency.Efficiency.Origin;
import dev.medley.plan.efficiency.Efficiency.OuterStep;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Corrects the value of samples in a job by the user's own runs of it: a pure function of their
 * learning curves. Each run is compared with those of data-parallel without a codec, by any number
 * of workers, of its own seed where there is one. A measured figure of the table stays as long as
 * the runs agree with it, within the spread of both. Otherwise, and in place of a guess, the runs'
 * figure is taken; one of fewer than three runs never counts for more than 1.
 */
public final class Lessons {
    /** A figure without a spread, and a pair by itself, may be off by so much. */
    private static final double UNSURE = 0.2;

    private static final double LEAST = 0.05;
    private static final double MOST = 4;

    private Lessons() {}

    /**
     * The table as these runs correct it, in their order; equal to {@code table} if they do not.
     */
    public static EfficiencyTable correct(EfficiencyTable table, List<Lesson> lessons) {
        List<Lesson> plain = lessons.stream().filter(Lessons::isReference).toList();
        Map<StrategySpec, List<Lesson>> others =
                lessons.stream()
                        .filter(
                                lesson ->
                                        !isReference(lesson)
                                                && EfficiencyTable.isUsual(lesson.strategy()))
                        .collect(
                                Collectors.groupingBy(
                                        Lessons::taught, LinkedHashMap::new, Collectors.toList()));
        EfficiencyTable corrected = table;
        for (Map.Entry<StrategySpec, List<Lesson>> runs : others.entrySet()) {
            Efficiency own = own(runs.getKey(), runs.getValue(), plain);
            if (own != null && !isBorneOut(table.of(runs.getKey()), own)) {
                corrected = corrected.with(own);
            }
        }
        return corrected;
    }

    /** Whether it is one that others are compared with. */
    public static boolean isReference(Lesson lesson) {
        return lesson.strategy().kind() == Kind.DATA_PARALLEL
                && lesson.strategy().compress() == Compress.NONE;
    }

    /** The settings by which the table tells strategies apart. */
    private static StrategySpec taught(Lesson lesson) {
        StrategySpec of = lesson.strategy();
        return StrategySpec.defaults().as(of.kind().in(of.round()), of.compress());
    }

    private static @Nullable Efficiency own(
            StrategySpec strategy, List<Lesson> runs, List<Lesson> plain) {
        List<Double> worth = new ArrayList<>();
        for (Lesson run : runs) {
            OptionalDouble beside = worthBeside(plain, run);
            beside.ifPresent(w -> worth.add(Math.min(MOST, Math.max(LEAST, w))));
        }
        if (worth.isEmpty()) {
            return null;
        }
        double mean = worth.stream().mapToDouble(w -> w).average().orElseThrow();
        double spread = worth.stream().mapToDouble(w -> Math.abs(w - mean)).max().orElseThrow();
        return new Efficiency(
                strategy.kind(),
                strategy.round().syncEvery(),
                strategy.compress(),
                mean,
                worth.size() > 1 ? spread : null,
                worth.size(),
                date(runs.get(runs.size() - 1)),
                Origin.MEASURED,
                "samples of data-parallel over its own in runs of this job: "
                        + worth.stream()
                                .map(w -> String.format(Locale.ROOT, "%.2f", w))
                                .collect(Collectors.joining(", ")),
                strategy.round().stream(),
                null,
                OuterStep.of(strategy.round()));
    }

    private static String date(Lesson last) {
        Instant end = Instant.ofEpochMilli(last.wallMillis());
        return LocalDate.ofInstant(end, ZoneOffset.UTC).toString();
    }

    private static OptionalDouble worthBeside(List<Lesson> plain, Lesson run) {
        List<Lesson> twins = plain.stream().filter(p -> p.seed() == run.seed()).toList();
        return (twins.isEmpty() ? plain : twins)
                .stream()
                        .map(reference -> run.curve().worthBeside(reference.curve()))
                        .flatMapToDouble(OptionalDouble::stream)
                        .average();
    }

    private static boolean isBorneOut(Efficiency known, Efficiency own) {
        if (known.isGuess()) {
            return false;
        }
        double ofOwn = own.spread() == null ? UNSURE : own.spread();
        double ofKnown = known.spread() == null ? UNSURE : known.spread();
        return Math.abs(own.value() - known.value()) <= Math.max(ofOwn, ofKnown);
    }
}
