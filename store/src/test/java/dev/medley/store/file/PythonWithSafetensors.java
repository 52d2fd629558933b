package dev.medley.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Python that has the safetensors package: in the environment that {@code MEDLEY_PEERS} names, or
 * {@code ~/.cache/medley-peers}, or on the path; the test is skipped where there is none.
 */
public final class PythonWithSafetensors {
    private PythonWithSafetensors() {}

    /** Runs a program with arguments and returns what it printed. */
    public static String run(String program, Object... arguments) throws Exception {
        Optional<String> python = candidates().filter(PythonWithSafetensors::works).findFirst();
        assumeTrue(python.isPresent(), "no Python with safetensors and numpy is at hand");
        List<String> command = new ArrayList<>(List.of(python.get(), "-c", program));
        Stream.of(arguments).map(String::valueOf).forEach(command::add);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static Stream<String> candidates() {
        String named = System.getenv("MEDLEY_PEERS");
        Path peers =
                named != null
                        ? Path.of(named)
                        : Path.of(System.getProperty("user.home"), ".cache", "medley-peers");
        Path inFolder = peers.resolve("bin").resolve("python");
        return Stream.of(Files.exists(inFolder) ? inFolder : peers, Path.of("python3"))
                .map(Path::toString);
    }

    private static boolean works(String python) {
        try {
            Process process =
                    new ProcessBuilder(python, "-c", "import safetensors.numpy")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
