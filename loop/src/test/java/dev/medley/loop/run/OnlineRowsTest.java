package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.stage.Known;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server finds rows by key alone, as the loop knew them, and answers as the loop does. */
@Tag("real")
@Timeout(240)
class OnlineRowsTest {
    @TempDir Path folder;

    @Test
    void shouldAnswerByKeyAsTheLoopAnswersAndSayWhatItDoesNotKnow() throws Exception {
        GivenLoop loop = new GivenLoop(folder);
        Path job = folder.resolve("job.yaml");
        Files.writeString(
                job,
                Files.readString(job).replace("{family: boosting, rounds: 8}", "{family: linear}"));
        loop.rows(0, GivenLoop.ROWS, 0);
        loop.run();
        long asOfMs = Json.bind(loop.stage(1, "known").result(), Known.class).asOfMs();
        try (ServedLoop served = new ServedLoop(folder.resolve("small.loop/registry"), 1)) {
            List<List<String>> scored = scored(1);
            assertThat(scored).hasSize(10);
            for (List<String> row : scored) {
                String byKey = served.ask("{\"key\": \"%s\"}".formatted(row.get(0)));
                JsonNode answer = Json.parse(byKey, JsonNode.class);
                assertThat(answer.path("as_of").asString(""))
                        .isEqualTo(Instant.ofEpochMilli(asOfMs).toString());
                assertThat(answer.path("unknown_keys")).isEmpty();
                String byHand =
                        served.ask(
                                "{\"x\": %s, \"w\": %s, \"c\": \"%s\"}"
                                        .formatted(row.get(1), row.get(2), row.get(3)));
                assertThat(answer.path("rows"))
                        .isEqualTo(Json.parse(byHand, JsonNode.class).path("rows"));
                assertThat((float) answer.path("rows").get(0).path("p(yes)").doubleValue())
                        .isEqualTo(Float.parseFloat(row.get(4)));
            }
            JsonNode two =
                    Json.parse(served.ask("[{\"key\": 3}, {\"key\": \"none\"}]"), JsonNode.class);
            assertThat(two.path("unknown_keys").get(0).asString("")).isEqualTo("none");
            assertThat(two.path("rows").get(1))
                    .isEqualTo(
                            Json.parse(
                                            served.ask("{\"x\": null, \"w\": null, \"c\": null}"),
                                            JsonNode.class)
                                    .path("rows")
                                    .get(0));
            assertThat(served.ask("{\"key\": \"none\"}")).contains("\"unknown_keys\":[\"none\"]");
            // The next run's rows are there at once.
            loop.rows(GivenLoop.ROWS, GivenLoop.ROWS + 5, 0);
            loop.run();
            long laterMs = Json.bind(loop.stage(2, "known").result(), Known.class).asOfMs();
            assertThat(served.ask("{\"key\": \"3\"}"))
                    .contains(Instant.ofEpochMilli(laterMs).toString());
        }
    }

    private List<List<String>> scored(long run) throws Exception {
        Path file = folder.resolve("small.loop/runs/%d/scored.parquet".formatted(run));
        try (DuckDb db = DuckDb.forFiles(List.of(), folder.resolve("scratch"))) {
            return db.rows(
                    "SELECT id, x, w, c, \"p(yes)\" FROM read_parquet(%s) ORDER BY id"
                            .formatted(DuckDb.path(file)));
        }
    }
}
