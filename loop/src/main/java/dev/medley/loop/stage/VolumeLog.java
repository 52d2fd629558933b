package dev.medley.loop.stage;

import dev.medley.base.Json;
import dev.medley.connect.sync.SyncReport;
import dev.medley.loop.check.CheckResult;
import dev.medley.loop.state.StageOutcome;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Counts the rows that come to a table with each run. What a check held is not let through by the
 * next run alone: all rows that came since a run was let through are judged together, as windows of
 * the same size.
 */
public final class VolumeLog {
    private static final int RUNS_REMEMBERED = 100;

    /**
     * How many rows came, by run.
     *
     * @param byRun with runs that were let through
     * @param held with runs since
     */
    private record Volumes(TreeMap<Long, Long> byRun, TreeMap<Long, Long> held) {}

    /**
     * Rows that came between runs.
     *
     * @param byRun by the run before
     */
    private record Between(TreeMap<Long, Long> byRun) {}

    private final StageContext context;
    private final String table;
    private final Volumes volumes;
    private final long run;

    private VolumeLog(StageContext context, String table, Volumes volumes) {
        this.context = context;
        this.table = table;
        this.volumes = volumes;
        this.run = context.run().number();
    }

    /** That of a table, with the runs before this one. */
    static VolumeLog of(StageContext context, String table) {
        Volumes known =
                context.remembered(fact(table), Volumes.class)
                        .orElseGet(() -> new Volumes(new TreeMap<>(), new TreeMap<>()));
        VolumeLog log = new VolumeLog(context, table, known);
        known.byRun().tailMap(log.run, true).clear(); // The stage is done again.
        known.held().tailMap(log.run, true).clear();
        log.addUnjudged();
        return log;
    }

    /** Runs that ended before their checks brought rows too. */
    private void addUnjudged() {
        long last =
                Math.max(
                        volumes.byRun().isEmpty() ? 0 : volumes.byRun().lastKey(),
                        volumes.held().isEmpty() ? 0 : volumes.held().lastKey());
        for (long before = last + 1; last > 0 && before < run; before++) {
            Optional<Long> came =
                    context.state().stages(before).stream()
                            .filter(stage -> stage.name().equals(sync()))
                            .filter(stage -> stage.outcome() == StageOutcome.DONE)
                            .map(stage -> Json.bind(stage.result(), SyncReport.class))
                            .map(report -> report.difference().added())
                            .findFirst();
            if (came.isPresent()) {
                volumes.held().put(before, came.get() + between(lastBefore(before), before));
            }
        }
    }

    /** How many rows came with each run that was let through. */
    List<Long> usual() {
        return List.copyOf(volumes.byRun().values());
    }

    /**
     * What came with this run.
     *
     * @param rows of the table, where it is no source
     */
    void came(long rows) {
        volumes.held()
                .put(
                        run,
                        context.result(sync(), SyncReport.class)
                                .map(
                                        report ->
                                                report.difference().added()
                                                        + between(lastBefore(run), run))
                                .orElse(rows));
    }

    /** The last run before one whose rows are known; 0 for none. */
    private long lastBefore(long number) {
        return Stream.of(volumes.byRun(), volumes.held())
                .map(known -> known.lowerKey(number))
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /** Rows that came behind one run and before another. */
    private long between(long from, long to) {
        return context.remembered(between(table), Between.class)
                .map(known -> known.byRun().subMap(from, to).values())
                .map(rows -> rows.stream().mapToLong(Long::longValue).sum())
                .orElse(0L);
    }

    /** Notes rows that came to a table between runs: they are of the next one. */
    public static void cameBetween(StageContext context, String table, long rows) {
        Between known =
                context.remembered(between(table), Between.class)
                        .orElseGet(() -> new Between(new TreeMap<>()));
        known.byRun().merge(context.run().number(), rows, Long::sum);
        while (known.byRun().size() > RUNS_REMEMBERED) {
            known.byRun().pollFirstEntry();
        }
        context.remember(between(table), known);
    }

    private static String between(String table) {
        return "between runs " + table;
    }

    /** What came since a run was let through, for each run. */
    long rowsOfWindow() {
        return Math.round(
                volumes.held().values().stream().mapToLong(Long::longValue).average().orElse(0));
    }

    /** What a person can do about it. */
    CheckResult explained(CheckResult failed) {
        String which =
                volumes.held().size() == 1
                        ? ""
                        : " (%d runs from run %d on, for each)"
                                .formatted(volumes.held().size(), volumes.held().firstKey());
        return new CheckResult(
                failed.check(),
                failed.outcome(),
                failed.why()
                        + which
                        + "; they are judged again by the next run; if they are right, let one run"
                        + " go on with severity: warn");
    }

    /** Remembers them for the next run. */
    void remember(boolean isLetThrough) {
        if (isLetThrough) {
            volumes.byRun().putAll(volumes.held());
            volumes.held().clear();
        }
        while (volumes.byRun().size() > RUNS_REMEMBERED) {
            volumes.byRun().pollFirstEntry();
        }
        context.remember(fact(table), volumes);
    }

    private String sync() {
        return "sync " + table;
    }

    private static String fact(String table) {
        return "volume " + table;
    }
}
