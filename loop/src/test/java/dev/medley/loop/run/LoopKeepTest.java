package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.loop.learn.LearntRows;
import dev.medley.loop.learn.Watched;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.VersionFacts;
import dev.medley.loop.state.StageOutcome;
import dev.medley.serving.registry.VersionCard;
import dev.medley.serving.registry.VersionRemovals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** What a loop keeps of its runs, and what it trains of the rows that judged. */
@Tag("real")
@Timeout(240)
class LoopKeepTest {
    private static final int ROWS = 400;

    @TempDir Path folder;
    private GivenLoop small;

    @BeforeEach
    void begin() throws Exception {
        small = GivenLoop.plain(folder);
    }

    @Test
    void filesOfOldRunsShouldGoAndTheirRowsStillBeMadeAgain() throws Exception {
        Path file = small.loopFile("keep: 2");
        small.rows(0, ROWS, 0);
        GivenLoop.run(file);
        for (int run = 2; run <= 5; run++) {
            small.rows(run * ROWS, run * ROWS + 50, 0);
            if (run == 5) {
                for (String left : List.of("2", "3-refit/flow-1", "4", "notes")) {
                    Path there = folder.resolve("small.loop/training").resolve(left);
                    Files.writeString(Files.createDirectories(there).resolve("steps.jsonl"), "");
                }
                registerUnusedVersions();
            }
            assertThat(GivenLoop.run(file).outcome()).isEqualTo(StageOutcome.DONE);
        }
        // Run 1 has what its model had seen, which a watch begins from.
        try (Stream<Path> runs = Files.list(folder.resolve("small.loop/runs"))) {
            assertThat(runs.map(run -> run.getFileName().toString()))
                    .containsExactlyInAnyOrder("1", "4", "5");
        }
        assertThat(small.stage(5, "prune").why())
                .isEqualTo(
                        "files of 1 runs and of 2 trainings are gone, and 2 versions never used:"
                                + " the last 2 stay");
        // Of version 1, which answers, the training stays, and so does what is no training.
        try (Stream<Path> trainings = Files.list(folder.resolve("small.loop/training"))) {
            assertThat(trainings.map(run -> run.getFileName().toString()))
                    .containsExactlyInAnyOrder("1", "4", "notes");
        }
        Watched watched = Json.bind(small.stage(5, "watch").result(), Watched.class);
        assertThat(watched.since()).isEqualTo(200);
        assertThat(watched.arrived()).isEqualTo(50);
        assertThat(watched.columns()).hasSize(3).allMatch(c -> c.standing().windows() == 4);
        try (Loop loop = small.open()) {
            LoopModels models = loop.models();
            assertThat(models.registry().versions(models.name()))
                    .extracting(VersionCard::version)
                    .containsExactly(1, 4, 5);
            assertThat(models.model(1)).isDirectory();
            assertThat(models.model(2)).doesNotExist();
            assertThat(models.model(3)).doesNotExist();
            assertThat(models.remove(loop.state(), facts -> true)).as("4; 1 answers").isEqualTo(1);
            LearntRows second = GivenLoop.rows(loop, 2);
            LearntRows again =
                    loop.maker()
                            .again(
                                    GivenLoop.asOf(loop, 2),
                                    folder.resolve("again"),
                                    second.cutMs());
            assertThat(again.sha256()).isEqualTo(second.sha256());
        }
    }

    /** Versions 2 to 5; of 2 a prune was cut off before its files went. */
    private void registerUnusedVersions() throws Exception {
        try (Loop loop = small.open()) {
            LoopModels models = loop.models();
            ObjectNode facts =
                    Json.bind(
                            Json.tree(models.facts(loop.state(), 1).orElseThrow()),
                            ObjectNode.class);
            for (int version = 2; version <= 5; version++) {
                models.registry().register(models.name(), models.model(1), LoopModels.BY, "");
                facts.put("version", version);
                models.rememberRunning(loop.state(), Json.bind(facts, VersionFacts.class));
            }
            new VersionRemovals(models.registry()).remove(models.name(), 2, LoopModels.BY, "old");
            assertThat(models.model(2)).isDirectory();
        }
    }

    @Test
    void filesOfRunsShouldStayForATimeToo() throws Exception {
        small.rows(0, ROWS, 0);
        Path file = small.loopFile("keep: 1d");
        for (int run = 1; run <= 3; run++) {
            GivenLoop.run(file);
        }
        assertThat(folder.resolve("small.loop/runs/2")).isDirectory();
        assertThatThrownBy(() -> LoopFile.read(small.loopFile("keep: some")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a number of runs such as 30, or a time such as 90d");
    }

    @Test
    void whatIsPromotedShouldBeTrainedOnTheRowsThatJudgedItWhereAsked() throws Exception {
        small.rows(0, ROWS, 0);
        Path file = small.loopFile("");
        Files.writeString(
                file, Files.readString(file).replace("newest: 20%", "newest: 20%, refit: true"));
        try (Loop loop = GivenLoop.open(file)) {
            assertThatThrownBy(() -> loop.run("by hand", new GivenLoop.CutAt("score")))
                    .isInstanceOf(AssertionError.class);
        }
        GivenLoop.run(file);
        assertThat(small.decision(1, "promote")).startsWith("promote: version 1");
        assertThat(small.decision(1, "refit"))
                .isEqualTo(
                        "version 2: version 1, trained once more on the newest 80 rows that judged"
                                + " it too");
        small.rows(ROWS, 2 * ROWS, 0);
        GivenLoop.run(file);
        assertThat(small.decision(2, "retrain")).startsWith("no: ");
        try (Loop loop = small.open()) {
            assertThat(loop.models().production()).contains(2);
            VersionFacts facts = loop.models().productionFacts(loop.state()).orElseThrow();
            assertThat(facts.trainedRows()).isEqualTo(ROWS);
            LearntRows rows = GivenLoop.rows(loop, 2);
            // Judged are rows that it has not learnt from, and they are watched.
            assertThat(rows.cutMs()).isGreaterThanOrEqualTo(facts.trainedUntilMs());
        }
        Watched watched = Json.bind(small.stage(2, "watch").result(), Watched.class);
        assertThat(watched.since()).isEqualTo(ROWS);
        assertThat(watched.drifted()).isEqualTo(List.of());
        Files.writeString(
                file, Files.readString(file).replace("refit: true", "refit: true, by_hand: true"));
        assertThatThrownBy(() -> LoopFile.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("with by_hand, shadow or canary no run promotes at once");
    }
}
