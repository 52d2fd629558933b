package dev.medley.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.cli.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The example of a loop, by the commands of its document. */
@Tag("real")
@Timeout(240)
class LoopCommandTest {
    @TempDir Path folder;

    @Test
    void shouldRunTheExampleTellOfItAndMakeItsRowsAgain() throws Exception {
        String loop = example("2026-01.csv");
        Said ran = Said.when("loop", "run", loop);
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out())
                .contains("run 1 begins", "700 new", "version 1 answers from now on", "loop.html");
        assertThat(Files.readAllLines(folder.resolve("out/risks.csv"))).hasSize(701);
        assertThat(Said.when("loop", "status", loop).out())
                .contains("loop churn, run 1, done", "version 1 of churn answers; trained");
        assertThat(Said.when("loop", "history", loop).out())
                .contains("    retrain   yes: there is no model yet", "all of a run: ");
        assertThat(Said.when("loop", "explain", loop, "1").out()).contains("decided on promote");
        assertThat(Said.when("loop", "status", loop, "--at", "2125-01-01").out())
                .contains("version 1 of churn answered at 2125-01-01T23:59:59.999Z, since 20");
        assertRefused("there is none before it", "loop", "rollback", loop);
        Said equal = Said.when("loop", "reconcile", loop);
        assertThat(equal.exitCode()).isZero();
        assertThat(equal.out()).contains("source and snapshot are equal: 700 rows");
        Path data = folder.resolve("data/2026-01.csv");
        String rows = Files.readString(data);
        Files.writeString(data, rows.substring(0, rows.lastIndexOf('\n', rows.length() - 2) + 1));
        Said differs = Said.when("loop", "reconcile", loop, "customers");
        assertThat(differs.exitCode()).as(differs.err()).isEqualTo(3);
        assertThat(differs.out()).contains("1 rows differ");
        assertThat(Said.when("loop", "reconcile", loop, "--repair").exitCode()).isZero();
        Path months = Path.of("..", "examples", "loop", "churn", "months");
        Files.copy(months.resolve("2026-03.csv"), folder.resolve("data/2026-03.csv"));
        assertThat(Said.when("loop", "run", loop).exitCode()).isZero();
        assertThat(Said.when("loop", "explain", loop).out())
                .contains(
                        "At one look, for information", "PSI", "its answers", "is to be expected");
        assertThat(folder.resolve("churn.loop/loop.html"))
                .content()
                .contains("What has changed, and what it costs", "New rows of customers", "<svg");
        Said again = Said.when("loop", "backfill", loop, "--run", "1");
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.out()).contains("they are those of run 1, bit by bit");
        JsonNode status =
                Json.parse(Said.when("loop", "status", loop, "--json").out(), JsonNode.class);
        assertThat(status.path("production").intValue()).isPositive();
    }

    @Test
    void whatIsWrongShouldBeOneMessage() throws Exception {
        String loop = example("2026-01.csv");
        assertRefused("has not run yet", "loop", "explain", loop);
        assertRefused(
                "--as-of yesterday: is no time", "loop", "backfill", loop, "--as-of", "yesterday");
        assertRefused("--at noon: is no time", "loop", "status", loop, "--at", "noon");
        assertRefused("no model in production that could be", "loop", "rollback", loop);
        assertRefused("nothing is held back", "loop", "release", loop);
        assertRefused("needs --run RUN or --as-of TIME", "loop", "backfill", loop);
        assertRefused("--stay needs every:", "loop", "run", loop, "--stay");
        assertRefused("its destinations are sheet", "loop", "letters", loop, "crm");
        assertRefused(
                "there is no such file", "loop", "run", folder.resolve("none.yaml").toString());
        Files.writeString(
                folder.resolve("churn.yaml"),
                Files.readString(folder.resolve("churn.yaml"))
                        .replace("label: churned", "label: chrned"));
        assertRefused("rows.sql gives no column 'chrned'", "loop", "run", loop);
        Files.delete(folder.resolve("data/2026-01.csv"));
        assertRefused("", "loop", "run", loop);
    }

    private static void assertRefused(String words, String... command) {
        Said said = Said.when(command);
        assertThat(said.exitCode()).as(said.err() + said.out()).isEqualTo(2);
        assertThat(said.err()).contains(words).doesNotContain("Exception");
    }

    private String example(String month) throws IOException {
        Path from = Path.of("..", "examples", "loop", "churn");
        Files.createDirectories(folder.resolve("data"));
        Files.copy(from.resolve("months").resolve(month), folder.resolve("data").resolve(month));
        Files.copy(from.resolve("job.yaml"), folder.resolve("job.yaml"));
        return Files.copy(from.resolve("churn.yaml"), folder.resolve("churn.yaml")).toString();
    }
}
