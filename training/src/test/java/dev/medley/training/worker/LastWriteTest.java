package dev.medley.training.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.OwnFolder;
import dev.medley.base.time.Clock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where the last of a run goes if its own folder does not take it. */
@Tag("unit")
class LastWriteTest {
    private static final Path RUN = Path.of("/runs/adult-1");
    private static final Path RESCUE = Path.of("/other");
    private static final Path THERE = RESCUE.resolve("adult-1");
    private static final Path LAST_RESORT =
            OwnFolder.ofThisUser("medley-rescue").resolve("adult-1");
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(3);

    private final List<Path> tried = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private Set<Path> full = Set.of();
    private long nowNs;

    @Test
    void itShouldGoIntoTheRunsFolderAsLongAsThatTakesIt() {
        write(RESCUE, () -> false);
        assertThat(tried).containsExactly(RUN);
        assertThat(told).isEmpty();
    }

    @Test
    void itShouldGoWhereTheUserSaidAtOnce() {
        full = Set.of(RUN);
        write(RESCUE, () -> false);
        assertThat(tried).containsExactly(RUN, THERE);
        assertThat(told).singleElement().asString().contains("is kept in " + THERE);
    }

    @Test
    void itShouldWaitForRoomAndSaySo() {
        full = Set.of(RUN);
        write(
                null,
                () -> {
                    full = Set.of();
                    return false;
                });
        assertThat(tried).containsExactly(RUN, RUN);
        assertThat(told)
                .singleElement()
                .asString()
                .contains("the model is in memory alone: 5 bytes needed, 0 free");
    }

    @Test
    void theTemporaryFolderShouldBeTheLastResort() {
        full = Set.of(RUN, THERE);
        write(RESCUE, () -> true);
        assertThat(tried).containsExactly(RUN, THERE, LAST_RESORT);
        assertThat(told).singleElement().asString().contains("is kept in " + LAST_RESORT);
    }

    @Test
    void itShouldEndInTimeWithTheReason() {
        full = Set.of(RUN, LAST_RESORT);
        assertThatThrownBy(() -> write(null, () -> false))
                .isInstanceOf(ConfigException.class)
                .hasMessage("5 bytes needed, 0 free. Then go on with medley train --resume " + RUN);
        assertThat(tried).startsWith(RUN, RUN).endsWith(RUN, LAST_RESORT);
        assertThat(told).as("not every second").hasSize(1);
    }

    private void write(@Nullable Path rescue, BooleanSupplier isUnwanted) {
        Clock clock =
                new Clock() {
                    @Override
                    public long nowNs() {
                        nowNs += TimeUnit.MILLISECONDS.toNanos(500);
                        return nowNs;
                    }

                    @Override
                    public long wallMillis() {
                        return 0;
                    }
                };
        String other = rescue == null ? null : rescue.toString();
        new LastWrite(RUN, other, isUnwanted, told::add, clock)
                .write(
                        "the model",
                        folder -> {
                            tried.add(folder);
                            if (full.contains(folder)) {
                                throw new ConfigException("5 bytes needed, 0 free");
                            }
                        },
                        PATIENCE_NS);
    }
}
