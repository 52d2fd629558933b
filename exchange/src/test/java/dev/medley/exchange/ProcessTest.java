package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workers as processes, of which one is killed or stopped in the middle of a step. */
@Tag("real")
@Timeout(600)
class ProcessTest {
    private static final long STEP_MS = 1500;
    private static final long NS_PER_MS = 1_000_000;

    private final List<Worker> workers = new ArrayList<>();

    private enum Transport {
        TCP,
        SHARED_MEMORY
    }

    @AfterEach
    void end() {
        workers.forEach(worker -> worker.process.destroyForcibly());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNameTheKilledAndGoOnInTheNextEpoch(Transport transport) throws Exception {
        start(3);
        form(1, transport, workers);
        workers.forEach(worker -> worker.awaitLine("step 5"));
        long startNs = Clock.system().nowNs();
        workers.get(1).process.destroyForcibly();
        List<Worker> survivors = List.of(workers.get(0), workers.get(2));
        for (Worker survivor : survivors) {
            assertThat(survivor.awaitLine("fault")).contains("worker-1");
        }
        assertThat(Clock.system().nowNs() - startNs)
                .as("a closed connection is noticed before the deadline")
                .isLessThan(STEP_MS * NS_PER_MS);
        form(2, transport, survivors);
        survivors.forEach(worker -> worker.awaitLine("step 5"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldNameTheStoppedAtTheDeadlineAndRefuseItWhenItWakes(Transport transport)
            throws Exception {
        start(3);
        form(1, transport, workers);
        workers.forEach(worker -> worker.awaitLine("step 5"));
        Worker stopped = workers.get(2);
        stopped.signal("STOP");
        List<Worker> survivors = List.of(workers.get(0), workers.get(1));
        for (Worker survivor : survivors) {
            assertThat(survivor.awaitLine("fault")).contains("worker-2").contains("silent");
        }
        form(2, transport, survivors);
        survivors.forEach(worker -> worker.awaitLine("step 20"));
        stopped.signal("CONT");
        assertThat(stopped.awaitLine("fault")).contains("epoch 1");
        survivors.forEach(worker -> worker.awaitLine("step 60"));
    }

    private void start(int count) throws IOException {
        String token = UUID.randomUUID().toString();
        for (int id = 0; id < count; id++) {
            workers.add(new Worker(id, token));
        }
        for (Worker worker : workers) {
            worker.port = worker.awaitLine("port").substring("port ".length());
        }
    }

    private static void form(int epoch, Transport transport, List<Worker> members)
            throws IOException {
        String group =
                members.stream()
                        .map(member -> member.id + ":" + member.port)
                        .collect(Collectors.joining(" "));
        for (Worker member : members) {
            member.orders.write(epoch + " " + transport + " " + group + "\n");
            member.orders.flush();
        }
        for (Worker member : members) {
            assertThat(member.awaitLine("formed"))
                    .contains(transport == Transport.TCP ? "TCP" : "shared memory");
        }
    }

    /** A child process. */
    private static final class Worker {
        final int id;
        final Process process;
        final Writer orders;
        private final BufferedReader lines;
        String port = "";

        Worker(int id, String token) throws IOException {
            this.id = id;
            this.process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-Xmx64m",
                                    "-XX:TieredStopAtLevel=1",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    RankProcess.class.getName(),
                                    "" + id,
                                    token,
                                    "" + STEP_MS)
                            .redirectErrorStream(true)
                            .start();
            this.orders = process.outputWriter(StandardCharsets.UTF_8);
            this.lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    process.getInputStream(), StandardCharsets.UTF_8));
        }

        /** Reads until a line that begins so. */
        String awaitLine(String start) {
            StringBuilder seen = new StringBuilder();
            try {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith(start)) {
                        return line;
                    }
                    seen.append(line).append('\n');
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            throw new AssertionError("no \"" + start + "\" from worker-" + id + " after:\n" + seen);
        }

        void signal(String name) throws Exception {
            Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
            assertThat(kill.waitFor()).isZero();
        }
    }
}
