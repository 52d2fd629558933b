package dev.medley.benchmarks.training;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs the peer: PyTorch with DistributedDataParallel over Gloo, one thread a rank. */
record PeerRun(Path python, Path script, Path data) {
    private static final long TIMEOUT_S = 1200;

    /** Runs {@code ranks} processes that train together, each with these arguments. */
    Measured together(int ranks, List<String> arguments) throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        List<Process> processes = new ArrayList<>();
        long beginNs = Clock.system().nowNs();
        for (int rank = 0; rank < ranks; rank++) {
            Map<String, String> group =
                    ranks == 1
                            ? Map.of()
                            : Map.of(
                                    "RANK", Integer.toString(rank),
                                    "WORLD_SIZE", Integer.toString(ranks),
                                    "MASTER_ADDR", "127.0.0.1",
                                    "MASTER_PORT", Integer.toString(port),
                                    "GLOO_SOCKET_IFNAME", "lo");
            processes.add(start(arguments, group));
        }
        return measured(finish(processes).get(0), beginNs);
    }

    /**
     * Runs {@code count} processes that have nothing to do with each other, at the same time; the
     * slowest.
     */
    Measured apart(int count, List<String> arguments) throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        long beginNs = Clock.system().nowNs();
        for (int i = 0; i < count; i++) {
            processes.add(start(arguments, Map.of()));
        }
        List<Measured> all = new ArrayList<>();
        for (JsonNode end : finish(processes)) {
            all.add(measured(end, beginNs));
        }
        return all.stream()
                .max((a, b) -> Double.compare(a.stepMillis(), b.stepMillis()))
                .orElseThrow();
    }

    private Process start(List<String> arguments, Map<String, String> group) throws IOException {
        List<String> command = new ArrayList<>(List.of(python.toString(), script.toString()));
        command.addAll(arguments);
        command.addAll(List.of("--data", data.toString(), "--threads", "1"));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("OMP_NUM_THREADS", "1");
        builder.environment().putAll(group);
        return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** The last JSON line of each; of ranks above 0 there is none, which is {@code null} JSON. */
    private static List<JsonNode> finish(List<Process> processes)
            throws IOException, InterruptedException {
        List<JsonNode> ends = new ArrayList<>();
        for (Process process : processes) {
            String out =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
                processes.forEach(Process::destroyForcibly);
                throw new IllegalStateException("the peer failed; its output was:\n" + out);
            }
            String last =
                    out.lines()
                            .filter(l -> l.contains("\"end\""))
                            .reduce((a, b) -> b)
                            .orElse("null");
            ends.add(Json.parse(last, JsonNode.class));
        }
        return ends;
    }

    private static Measured measured(JsonNode end, long beginNs) {
        double wall = (Clock.system().nowNs() - beginNs) / 1e9;
        double rate = end.get("samples_per_s").asDouble();
        return new Measured(
                rate,
                end.get("batch").asDouble() / rate * 1e3,
                number(end, "seconds_to_target"),
                number(end, "metric"),
                wall);
    }

    private static @Nullable Double number(JsonNode end, String name) {
        JsonNode value = end.get(name);
        return value == null || value.isNull() ? null : Double.valueOf(value.asDouble());
    }
}
