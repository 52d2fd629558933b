package dev.medley.loop.stage;

import dev.medley.base.ConfigException;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.check.CheckResult;
import dev.medley.loop.check.DataCheck;
import dev.medley.loop.check.TableChecks;
import dev.medley.loop.check.TableFacts;
import dev.medley.loop.spec.AgreedCheck;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Checks what was agreed of sources and rows, and ends the run where it does not hold. */
public final class CheckStage implements LoopStage {
    /** Its name. */
    public static final String NAME = "check";

    /** What came of the checks of a table. */
    private record Checked(String table, List<CheckResult> results) {}

    private final LoopPlace place;
    private final SourceViews sources;
    private final Map<String, List<DataCheck>> checks;
    private final String rows;

    /**
     * What was agreed.
     *
     * @param rows the query of the rows to learn from
     */
    public CheckStage(LoopPlace place, SourceViews sources, List<AgreedCheck> agreed, String rows) {
        this.place = place;
        this.sources = sources;
        this.checks =
                agreed.stream()
                        .collect(
                                Collectors.groupingBy(
                                        AgreedCheck::table,
                                        LinkedHashMap::new,
                                        Collectors.mapping(
                                                AgreedCheck::check, Collectors.toList())));
        this.rows = rows;
    }

    @Override
    public String name() {
        return NAME;
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
