package dev.medley.loop.same;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import dev.medley.connect.postgres.PostgresServer;
import dev.medley.loop.same.FactHistory.Fact;
import dev.medley.loop.same.FactHistory.Look;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.LoopState;
import dev.medley.loop.state.StageOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same history gives the same rows to learn from, whether it comes from Parquet files, a
 * PostgreSQL or Iceberg: cell by cell and bit by bit those that a look at all that ever was finds.
 */
@Tag("property")
class SameJoinTest {
    private static final String DATABASE = "same";

    @TempDir private Path folder;

    @BeforeAll
    static void begin() throws Exception {
        PostgresServer.shared().make(DATABASE);
    }

    static LongStream seeds() {
        long first = Long.getLong("medley.first", 0);
        return LongStream.range(first, first + Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void joinsShouldNotDependOnWhereRowsComeFrom(long seed) throws Exception {
        PostgresServer server = PostgresServer.shared();
        FactHistory history = new FactHistory(seed);
        try (TablePlace parquet = new ParquetPlace(folder.resolve("parquet"));
                TablePlace postgres = new PostgresPlace(server, DATABASE);
                TablePlace iceberg = new IcebergPlace(folder.resolve("iceberg"));
                LoopState state = LoopState.inFolder(folder, "same", Clock.system())) {
            StageContext context =
                    new StageContext(
                            new LoopRun(1, "by hand", 0, 0, null, StageOutcome.DONE, ""),
                            Map.of(),
                            state,
                            text -> {});
            Map<String, LoopOfPlace> loops = new LinkedHashMap<>();
            loops.put("Parquet", new LoopOfPlace(history, parquet, folder.resolve("a")));
            loops.put("PostgreSQL", new LoopOfPlace(history, postgres, folder.resolve("b")));
            loops.put("Iceberg", new LoopOfPlace(history, iceberg, folder.resolve("c")));
            Map<List<String>, Fact> before = Map.of();
            for (Look look : history.looks()) {
                TablePlace.Change change = change(before, look.rows());
                for (LoopOfPlace loop : loops.values()) {
                    loop.look(change, new At(look.millis()), context);
                    if (look.millis() == history.looks().get(0).millis()) {
                        loop.ask(new At(look.millis()), context);
                    }
                }
                before = look.rows();
            }
            compare(history, loops);
        }
    }

    private static void compare(FactHistory history, Map<String, LoopOfPlace> loops)
            throws Exception {
        List<Long> times = new ArrayList<>();
        history.looks().forEach(look -> times.add(look.millis() + 1));
        times.add(times.get(times.size() - 1) + Duration.ofDays(30).toMillis());
        for (long asOfMs : times) {
            String first = "";
            for (Map.Entry<String, LoopOfPlace> loop : loops.entrySet()) {
                LoopOfPlace.Joined joined = loop.getValue().joined(asOfMs);
                String what = "%s as of %d".formatted(loop.getKey(), asOfMs);
                if (history.hasTwins(asOfMs)) {
                    assertThat(joined.refused()).as(what).contains("have one key and both times");
                } else {
                    assertThat(joined.refused()).as(what).isEmpty();
                    assertThat(joined.rows()).as(what).isEqualTo(history.joined(asOfMs));
                }
                first = first.isEmpty() ? joined.sha256() : first;
                assertThat(joined.sha256()).as(what + ", the file").isEqualTo(first);
            }
        }
    }

    private static TablePlace.Change change(
            Map<List<String>, Fact> before, Map<List<String>, Fact> now) {
        List<List<@Nullable String>> gone = new ArrayList<>();
        List<List<@Nullable String>> put = new ArrayList<>();
        for (Map.Entry<List<String>, Fact> old : before.entrySet()) {
            if (!Objects.equals(now.get(old.getKey()), old.getValue())) {
                gone.add(new ArrayList<>(old.getKey()));
            }
        }
        for (Map.Entry<List<String>, Fact> each : now.entrySet()) {
            if (!Objects.equals(before.get(each.getKey()), each.getValue())) {
                put.add(FactHistory.cells(each.getValue()));
            }
        }
        return new TablePlace.Change(
                gone, put, now.values().stream().map(FactHistory::cells).toList());
    }

    /** A clock that stands. */
    private record At(long wallMillis) implements Clock {
        @Override
        public long nowNs() {
            return 0;
        }
    }
}
