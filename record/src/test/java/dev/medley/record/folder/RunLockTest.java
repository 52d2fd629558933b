package dev.medley.record.folder;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class RunLockTest {
    @TempDir Path path;

    @Test
    void onlyOneShouldGoOnWithARun() {
        RunFolder folder = new RunFolder(path);
        try (RunLock unused = RunLock.take(folder)) {
            assertThatThrownBy(() -> RunLock.take(folder))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("another process goes on with " + path);
        }
        assertThatCode(() -> RunLock.take(folder).close()).doesNotThrowAnyException();
    }
}
