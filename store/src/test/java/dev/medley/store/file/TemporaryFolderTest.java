package dev.medley.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Folders that do not outlive their process by much. */
@Tag("unit")
class TemporaryFolderTest {
    @Test
    void whatAKilledProcessLeftShouldGoAndWhatALivingOneHasShouldStay() throws Exception {
        Path own = TemporaryFolder.make("mine");
        String name = own.getFileName().toString();
        String pid = Long.toString(ProcessHandle.current().pid());
        // The same number, at another time: that process is gone.
        Path stale = own.resolveSibling(name.replaceFirst("-" + pid + "-\\d+-", "-" + pid + "-1-"));
        Files.createDirectories(stale.resolve("logs"));
        Files.writeString(stale.resolve("logs").resolve("worker-1.log"), "gone");
        Path other = TemporaryFolder.make("other");
        assertThat(stale).doesNotExist();
        assertThat(own).isDirectory();
        Files.delete(own);
        Files.delete(other);
    }
}
