package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.feature.CompiledClass;
import dev.medley.loop.learn.LearntRows;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A loop whose feature is a user's class, from training to answers by key. */
@Tag("real")
@Timeout(240)
class CodeFeatureTest {
    private static final Path EXAMPLE =
            Path.of("../examples/src/main/java/dev/medley/examples/UsageStreak.java");
    private static final String STREAK =
            "version: 1, java: dev.medley.examples.UsageStreak, class_path: classes, from: usage";

    @TempDir private Path folder;
    private GivenLoop given;

    @BeforeEach
    void begin() throws IOException {
        given = new GivenLoop(folder);
        given.rows(0, GivenLoop.ROWS, 0);
        usage(0, 30);
        CompiledClass.of(EXAMPLE, folder);
    }

    /** Minutes of each customer and day, which is none on every fifth or so. */
    private void usage(int from, int to) throws IOException {
        StringBuilder rows = new StringBuilder("customer,day,minutes\n");
        for (int day = from; day < to; day++) {
            for (int who = 0; who < 3; who++) {
                rows.append(
                        "%s,%s,%d\n"
                                .formatted(
                                        "abc".charAt(who),
                                        LocalDate.of(2025, 12, 20).plusDays(day),
                                        (day * 7 + who * 3) % 5));
            }
        }
        Files.writeString(folder.resolve("usage-%d.csv".formatted(from)), rows);
    }

    private void write(String feature) throws IOException {
        String base = Files.readString(given.with("promote: {metric: auc}", "").file());
        Files.writeString(
                given.file(),
                base.replace(
                                "sources:\n",
                                """
                                features:
                                  streak: {%s, key: customer, at: day}
                                sources:
                                  usage:
                                    files: usage-*.csv
                                    key: [customer, day]
                                    types: {day: date, minutes: integer}
                                """
                                        .formatted(feature))
                        .replace("x, w, c, y", "x, w, c AS customer, y")
                        .replace("SELECT id, x, w, c FROM", "SELECT id, x, w, c AS customer FROM")
                        .replace("retrain: {rows: 100, drift: true}", "retrain: {every: 90d}"));
    }

    @Test
    void shouldLearnAnswerAndBeMadeAgainBitByBit() throws Exception {
        write(STREAK);
        LoopRun run = given.run();
        assertThat(run.outcome()).as(run.why()).isEqualTo(StageOutcome.DONE);
        LearntRows rows = Json.bind(given.stage(1, "rows").result(), LearntRows.class);
        assertThat(rows.features()).anyMatch(name -> name.startsWith("streak@1#"));
        assertThat(streaks(rows.train())).contains("0", "1", "4").doesNotContain("5");
        usage(30, 33);
        given.run();
        try (Loop loop = given.open();
                ServedLoop served = new ServedLoop(folder.resolve("small.loop/registry"), 1)) {
            long asOfMs = given.stage(1, "known").result().path("asOfMs").longValue();
            LearntRows again = loop.maker().again(asOfMs, folder.resolve("again"), rows.cutMs());
            assertThat(again.sha256()).isEqualTo(rows.sha256());
            JsonNode byKey = Json.parse(served.ask("{\"key\": \"3\"}"), JsonNode.class);
            List<String> asked = asked(2, "3");
            String byHand =
                    served.ask(
                            "{\"x\": %s, \"w\": %s, \"customer\": \"%s\", \"streak\": %s}"
                                    .formatted(asked.toArray()));
            assertThat(byKey.path("rows"))
                    .isEqualTo(Json.parse(byHand, JsonNode.class).path("rows"));
        }
    }

    @Test
    void anotherClassUnderTheSameVersionShouldMeanAnotherModel() throws Exception {
        write(STREAK);
        given.run();
        Path changed = folder.resolve("UsageStreak.java");
        Files.writeString(
                changed, Files.readString(EXAMPLE).replace("minutes == 0", "minutes < 2"));
        CompiledClass.of(changed, folder);
        LoopRun run = given.run();
        assertThat(given.decision(2, "retrain")).startsWith("yes: ").contains("streak@1#");
        // It is not better, so that the one before stays, and has no answers for such rows.
        assertThat(given.decision(2, "promote")).startsWith("keep");
        assertThat(run.why()).contains("version 1 learnt from [streak@1#", "no answers are given");
    }

    @Test
    void aClassShouldGiveTheRowsThatAQueryGives() throws Exception {
        String sql =
                "version: 1, sql: 'SELECT customer, day, _known_at, _deleted, CAST(minutes AS"
                        + " DOUBLE) AS minutes FROM usage_history'";
        write(sql);
        given.run();
        LearntRows byQuery = Json.bind(given.stage(1, "rows").result(), LearntRows.class);
        CompiledClass.usage(folder);
        write("version: 2, java: com.acme.Usage, class_path: [classes], from: [usage]");
        given.run();
        LearntRows byClass = Json.bind(given.stage(2, "rows").result(), LearntRows.class);
        assertThat(byClass.sha256()).isEqualTo(byQuery.sha256());
        assertThat(byClass.features()).isNotEqualTo(byQuery.features());
        // What a class does wrong ends the run with one message.
        CompiledClass.usage(
                folder, "row.number(\"minutes\")", "1.0 / (row.whole(\"minutes\") / 0)");
        assertThatThrownBy(() -> given.run())
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "features.streak: com.acme.Usage failed at row 1 that it read, of usage"
                                + " (customer=a, day=2025-12-20): ArithmeticException: / by zero");
    }

    @Test
    void whatTheFileSaysWrongShouldBeSaidWithItsLine() throws Exception {
        refused(
                STREAK.replace("UsageStreak", "UsageStreek"),
                "did you mean dev.medley.examples.UsageStreak?");
        refused(
                STREAK.replace("from: usage", "from: usagee"),
                "there is no source 'usagee'; did you mean usage?");
        refused(
                STREAK.replace("class_path: classes", "class_path: none.jar"),
                "there is no jar or folder",
                "none.jar");
        refused(STREAK.replace(", from: usage", ""), "from is missing: the sources");
        refused(STREAK.replace(", class_path: classes", ""), "class_path is missing: the jars");
        refused(STREAK + ", sql: SELECT 1", "it says sql and java; say one of sql, java");
        refused("version: 1", "it does not say how it is computed; say one of sql, java");
        refused("version: 1, sql: SELECT 1, from: usage", "from is for java: leave it out");
    }

    private void refused(String feature, String... words) throws IOException {
        write(feature);
        assertThatThrownBy(() -> LoopFile.read(given.file()))
                .isInstanceOf(ConfigException.class)
                .message()
                .contains(words)
                .contains("small.yaml:3:");
    }

    private List<String> streaks(Path file) throws Exception {
        try (DuckDb db = DuckDb.forFiles(List.of(), folder.resolve("scratch"))) {
            return db
                    .rows(
                            "SELECT DISTINCT streak FROM read_parquet(%s)"
                                    .formatted(DuckDb.path(file)))
                    .stream()
                    .map(row -> row.get(0))
                    .toList();
        }
    }

    private List<String> asked(long run, String id) throws Exception {
        Path file = folder.resolve("small.loop/runs/%d/asked.parquet".formatted(run));
        try (DuckDb db = DuckDb.forFiles(List.of(), folder.resolve("scratch"))) {
            return db.rows(
                            "SELECT x, w, customer, streak FROM read_parquet(%s) WHERE id = '%s'"
                                    .formatted(DuckDb.path(file), id))
                    .get(0);
        }
    }
}
