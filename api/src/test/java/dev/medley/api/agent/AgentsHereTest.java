package dev.medley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many threads a worker gets where several agents offer one machine. */
@Tag("unit")
class AgentsHereTest {
    @TempDir Path folder;

    /** Its container was resized since it began. */
    @Test
    void threadsShouldBeOfTheCoresThatItMayUseByNow() {
        AtomicInteger cores = new AtomicInteger(2);
        try (AgentsHere one = new AgentsHere(folder, cores::get);
                AgentsHere other = new AgentsHere(folder, () -> 2)) {
            one.enter();
            other.enter();
            assertThat(one.threads(8)).isEqualTo(2);
            cores.set(6);
            assertThat(one.threads(8)).isEqualTo(6);
            assertThat(other.threads(4)).as("of 6 and 2 wanted").isEqualTo(1);
            assertThat(other.count()).isEqualTo(2);
        }
    }

    @Test
    void oneShouldHaveAllItsCores() {
        try (AgentsHere alone = new AgentsHere(folder, () -> 8)) {
            alone.enter();
            assertThat(alone.threads(8)).isEqualTo(8);
            assertThat(alone.count()).isEqualTo(1);
        }
    }

    @Test
    void severalShouldShareTheCoresAsLongAsTheyAreThere() {
        try (AgentsHere one = new AgentsHere(folder, () -> 8)) {
            one.enter();
            try (AgentsHere two = new AgentsHere(folder, () -> 8);
                    AgentsHere three = new AgentsHere(folder, () -> 8)) {
                two.enter();
                three.enter();
                assertThat(one.count()).isEqualTo(3);
                assertThat(List.of(one.threads(8), two.threads(8), three.threads(8)))
                        .containsOnly(2);
            }
            assertThat(one.threads(8)).as("the others have left").isEqualTo(8);
        }
    }

    @Test
    void whoDidNotLeaveInGoodOrderShouldNotCount() throws IOException {
        Path left = Files.createFile(folder.resolve("agent-1-8.lock"));
        try (AgentsHere alone = new AgentsHere(folder, () -> 8)) {
            alone.enter();
            assertThat(alone.threads(8)).isEqualTo(8);
            assertThat(left).doesNotExist();
        }
    }

    @Test
    void aFolderThatCannotBeMadeShouldCountAsNobodyElse() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        try (AgentsHere alone = new AgentsHere(file.resolve("agents"), () -> 8)) {
            alone.enter();
            assertThat(alone.threads(8)).isEqualTo(8);
            assertThat(alone.count()).isEqualTo(1);
        }
    }

    @Test
    void coresThatAreThereForEachShouldNotBeShared() {
        assertThat(AgentsHere.share(4, List.of(4, 4, 4), 16)).isEqualTo(4);
        assertThat(AgentsHere.share(1, List.of(1, 1, 1, 1), 2)).isEqualTo(1);
        assertThat(AgentsHere.share(16, List.of(16, 4), 16)).isEqualTo(12);
        assertThat(AgentsHere.share(4, List.of(16, 4), 16)).isEqualTo(3);
    }
}
