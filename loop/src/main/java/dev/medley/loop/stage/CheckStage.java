package dev.medley.loop.stage;

import dev.medley.base.ConfigException;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.check.CheckResult;
import dev.medley.loop.check.DataCheck;
import dev.medley.loop.check.TableChecks;
import dev.medley.loop.check.TableFacts;
import dev.medley.loop.spec.AgreedCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks what was agreed, and ends the run where it does not hold: of sources and rows, or of the
 * rows to learn from once features are joined.
 */
public final class CheckStage implements LoopStage {
    /** Its name, of sources and rows. */
    public static final String NAME = "check";

    /** Its name, of the rows to learn from. */
    public static final String OF_JOINED = "check joined";

    /** What came of the checks of a table. */
    private record Checked(String table, List<CheckResult> results) {}

    private final LoopPlace place;
    private final SourceViews sources;
    private final Map<String, List<DataCheck>> checks;
    private final boolean isOfJoined;
    private final String rows;

    private CheckStage(
            LoopPlace place,
            SourceViews sources,
            List<AgreedCheck> agreed,
            boolean isOfJoined,
            String rows) {
        this.place = place;
        this.sources = sources;
        this.isOfJoined = isOfJoined;
        this.checks =
                agreed.stream()
                        .filter(of -> of.table().equals(AgreedCheck.JOINED) == isOfJoined)
                        .collect(
                                Collectors.groupingBy(
                                        AgreedCheck::table,
                                        LinkedHashMap::new,
                                        Collectors.mapping(
                                                AgreedCheck::check, Collectors.toList())));
        this.rows = rows;
    }

    /**
     * Of sources and rows.
     *
     * @param rows the query of the rows
     */
    public static CheckStage ofTables(
            LoopPlace place, SourceViews sources, List<AgreedCheck> agreed, String rows) {
        return new CheckStage(place, sources, agreed, false, rows);
    }

    /** Of the rows to learn from and to judge by, with their features, which the run has made. */
    public static CheckStage ofJoined(
            LoopPlace place, SourceViews sources, List<AgreedCheck> agreed) {
        return new CheckStage(place, sources, agreed, true, "");
    }

    /** Whether anything was agreed. */
    public boolean hasChecks() {
        return !checks.isEmpty();
    }

    @Override
    public String name() {
        return isOfJoined ? OF_JOINED : NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        if (checks.isEmpty()) {
            return StageEnd.skipped("the loop has no checks");
        }
        List<Checked> checked = new ArrayList<>();
        try (DuckDb db = DuckDb.forFiles(List.of(), place.scratch())) {
            sources.open(db, context.asOfMs());
            if (checks.containsKey(AgreedCheck.ROWS)) {
                ask(db);
            }
            if (isOfJoined) {
                show(db, place.run(context.run().number()));
            }
            for (Map.Entry<String, List<DataCheck>> of : checks.entrySet()) {
                checked.add(
                        new Checked(of.getKey(), judged(db, context, of.getKey(), of.getValue())));
            }
        } catch (SQLException e) {
            throw new ConfigException("checks: " + DuckDb.message(e), e);
        }
        return end(context, checked);
    }

    /**
     * Which of those that end a run do not hold as of a time, outside of a run; empty where all do.
     * How many rows come is judged by runs alone.
     */
    public String failing(long asOfMs) throws IOException {
        if (checks.isEmpty()) {
            return "";
        }
        List<Checked> checked = new ArrayList<>();
        try (DuckDb db = DuckDb.forFiles(List.of(), place.scratch())) {
            sources.open(db, asOfMs);
            if (checks.containsKey(AgreedCheck.ROWS)) {
                ask(db);
            }
            for (Map.Entry<String, List<DataCheck>> of : checks.entrySet()) {
                List<DataCheck> agreed =
                        of.getValue().stream()
                                .filter(check -> !(check instanceof DataCheck.Volume))
                                .toList();
                TableFacts facts = new FactsReader(db).read(of.getKey(), agreed, List.of(), asOfMs);
                checked.add(
                        new Checked(
                                of.getKey(),
                                agreed.stream().map(c -> TableChecks.judge(c, facts)).toList()));
            }
        } catch (SQLException e) {
            throw new ConfigException("checks: " + DuckDb.message(e), e);
        }
        return said(checked, CheckResult.Outcome.FAILED);
    }

    private static void show(DuckDb db, Path folder) throws SQLException {
        List<String> files =
                Stream.of("train.parquet", "newest.parquet")
                        .map(folder::resolve)
                        .filter(Files::exists)
                        .map(DuckDb::path)
                        .toList();
        db.execute(
                "CREATE TEMP VIEW %s AS SELECT * FROM read_parquet([%s])"
                        .formatted(AgreedCheck.JOINED, String.join(", ", files)));
    }

    private void ask(DuckDb db) {
        try {
            db.execute("CREATE TEMP TABLE rows AS SELECT * FROM (" + rows + ")");
        } catch (SQLException e) {
            throw new ConfigException("rows.sql: " + DuckDb.message(e), e);
        }
    }

    private static StageEnd end(StageContext context, List<Checked> checked) {
        String failed = said(checked, CheckResult.Outcome.FAILED);
        String warned = said(checked, CheckResult.Outcome.WARNED);
        int all = checked.stream().mapToInt(of -> of.results().size()).sum();
        context.decide(
                "check",
                failed.isEmpty() ? "go on" : "held",
                failed.isEmpty() ? "no check that ends a run failed" : failed,
                checked);
        if (!failed.isEmpty()) {
            return StageEnd.held(failed, checked);
        }
        return StageEnd.done(
                warned.isEmpty() ? "all of %d hold".formatted(all) : "warns: " + warned, checked);
    }

    private static String said(List<Checked> checked, CheckResult.Outcome outcome) {
        return checked.stream()
                .flatMap(
                        of ->
                                of.results().stream()
                                        .filter(result -> result.outcome() == outcome)
                                        .map(result -> of.table() + ": " + result.why()))
                .collect(Collectors.joining("; "));
    }

    private List<CheckResult> judged(
            DuckDb db, StageContext context, String table, List<DataCheck> agreed)
            throws SQLException {
        VolumeLog volumes = VolumeLog.of(context, table);
        TableFacts facts =
                new FactsReader(db).read(table, agreed, volumes.usual(), context.asOfMs());
        volumes.came(facts.rows());
        TableFacts ofVolume =
                new TableFacts(
                        volumes.rowsOfWindow(),
                        facts.earlierRows(),
                        facts.nowMillis(),
                        facts.columns(),
                        facts.repeated());
        List<CheckResult> results = new ArrayList<>();
        boolean isLetThrough = true;
        for (DataCheck check : agreed) {
            boolean isOfVolume = check instanceof DataCheck.Volume;
            CheckResult result = TableChecks.judge(check, isOfVolume ? ofVolume : facts);
            if (isOfVolume && result.outcome() == CheckResult.Outcome.FAILED) {
                isLetThrough = false;
                result = volumes.explained(result);
            }
            results.add(result);
        }
        volumes.remember(isLetThrough);
        return results;
    }
}
