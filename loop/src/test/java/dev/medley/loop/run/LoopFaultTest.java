package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can go wrong with the rows and the folder of a loop: one message each, nothing lost. */
@Tag("real")
@Timeout(240)
class LoopFaultTest {
    private static final int ROWS = 300;

    @TempDir Path folder;
    private GivenLoop small;

    @BeforeEach
    void begin() throws Exception {
        small = GivenLoop.plain(folder);
    }

    @Test
    void whatACheckOfVolumeHeldShouldNotPassWithTheNextRun() throws Exception {
        Path file = small.loopFile("checks: [{table: things, check: volume}]");
        usually(20);
        small.rows(1000, 3000, 0);
        LoopRun held = GivenLoop.run(file);
        assertThat(held.outcome()).isEqualTo(StageOutcome.HELD);
        assertThat(held.why()).contains("2,000 rows", "judged again by the next run");
        small.rows(3000, 3020, 0);
        LoopRun next = GivenLoop.run(file);
        assertThat(next.outcome()).isEqualTo(StageOutcome.HELD);
        assertThat(next.why()).contains("1,010 rows", "(2 runs from run 1 on, for each)");
        Path warns = small.loopFile("checks: [{table: things, check: volume, severity: warn}]");
        assertThat(GivenLoop.run(warns).outcome()).isEqualTo(StageOutcome.DONE);
        small.rows(4000, 4020, 0);
        assertThat(GivenLoop.run(small.loopFile("checks: [{table: things, check: volume}]")).why())
                .isEqualTo("all stages are done");
    }

    /** So many rows came with each of forty earlier runs. */
    private void usually(int rows) throws Exception {
        TreeMap<Long, Integer> byRun = new TreeMap<>();
        for (long run = -40; run < 0; run++) {
            byRun.put(run, rows);
        }
        try (Loop loop = small.open()) {
            loop.state()
                    .remember("volume things", Json.tree(Map.of("byRun", byRun, "held", Map.of())));
        }
    }

    @Test
    void rowsOfOneSingleTimeShouldBeSaidAndLearntFromOnceOthersCome() throws Exception {
        small.rows(0, ROWS, 0);
        Path file = small.loopFile("");
        Files.writeString(
                file,
                Files.readString(file).replace("id, t, x", "id, date_trunc('month', t) AS t, x"));
        assertThat(GivenLoop.run(file).outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(small.stage(1, "train").why())
                .startsWith("all 300 rows have one time, 2026-01-01T00:00:00Z")
                .contains("name a column with each row's own time");
        // Eight in ten rows have the oldest time: they are learnt from all the same.
        small.rows(5 * ROWS, 5 * ROWS + 40, 0);
        GivenLoop.run(file);
        assertThat(small.stage(2, "rows").why())
                .startsWith("300 rows to learn from, 40 from 2026-03");
        assertThat(small.stage(2, "train").outcome()).isEqualTo(StageOutcome.DONE);
    }

    @Test
    void aColumnThatChangesAfterTheRowsTimeShouldBeNamedWithHowManyRows() throws Exception {
        small.rows(0, ROWS, 0);
        small.run();
        assertThat(small.decision(1, "rows")).isEmpty();
        // Ten rows have another w now, and the label of one has come: that is as it should be.
        Path rows = folder.resolve("things-0.csv");
        List<String> lines = new ArrayList<>(Files.readAllLines(rows));
        for (int i = 1; i <= 10; i++) {
            String[] cells = lines.get(i).split(",");
            cells[3] = "77.5";
            cells[5] = "yes";
            lines.set(i, String.join(",", cells));
        }
        Files.write(rows, lines);
        small.rows(ROWS, 2 * ROWS, 0);
        small.run();
        assertThat(small.decision(2, "rows"))
                .startsWith("warns: rows.sql shows the future: of 300 rows that could be compared")
                .contains("values have changed since in w (10 rows); make what changes a feature");
        assertThat(small.stage(2, "rows").why()).contains("; warns: rows.sql shows the future");
    }

    @Test
    void namesThatDifferInCaseAloneShouldBeSaid() throws Exception {
        small.rows(0, ROWS, 0);
        Path file =
                small.loopFile(
                        """
                        features:
                          more:
                            {version: 1, key: id, at: t, sql: "SELECT id, t, _known_at, w AS X FROM things"}
                        """);
        assertThatThrownBy(() -> GivenLoop.run(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("features.more: column 'X' is there already")
                .hasMessageContaining("large and small letters are one");
    }

    @Test
    void aLostHistoryShouldNotTakeUpWhatItsFolderHas() throws Exception {
        small.rows(0, ROWS, 0);
        small.run();
        small.rows(ROWS, 2 * ROWS, 0);
        Path state = folder.resolve("small.loop");
        Files.delete(state.resolve("loop.db"));
        Files.deleteIfExists(state.resolve("loop.db-wal"));
        Files.deleteIfExists(state.resolve("loop.db-shm"));
        LoopRun run = small.run();
        assertThat(run.number()).isEqualTo(2);
        assertThat(small.stage(2, "train").why()).startsWith("version 2 of small on 480 rows: ");
        assertThat(state.resolve("training/2")).isDirectory();
    }
}
