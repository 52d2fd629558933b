package dev.medley.benchmarks.exchange;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Runs one implementation of the all-reduce as a group of processes, idle until told to run. */
final class Contender implements AutoCloseable {
    private final String name;
    private final List<Process> processes = new ArrayList<>();
    private final List<BufferedReader> answers = new ArrayList<>();
    private final List<BufferedWriter> orders = new ArrayList<>();

    private Contender(String name) {
        this.name = name;
    }

    /** Medley over a transport, ready. */
    static Contender medley(String name, String transport, int size, List<String> javaOptions)
            throws IOException {
        Contender contender = new Contender(name);
        String token = UUID.randomUUID().toString();
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.addAll(javaOptions);
        java.addAll(List.of("-cp", System.getProperty("java.class.path"), Rank.class.getName()));
        for (int rank = 0; rank < size; rank++) {
            List<String> command = new ArrayList<>(java);
            command.addAll(List.of("" + rank, "" + size, transport, token));
            contender.start(command);
        }
        List<String> ports = contender.hear();
        contender.say(String.join(" ", ports));
        contender.hear();
        return contender;
    }

    /** torch.distributed on Gloo, ready. */
    static Contender gloo(Path python, Path script, int size) throws IOException {
        Contender contender = new Contender("Gloo");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        for (int rank = 0; rank < size; rank++) {
            contender.start(
                    List.of(python.toString(), script.toString(), "" + rank, "" + size, "" + port));
        }
        contender.hear();
        return contender;
    }

    /** As it stands in the table. */
    String name() {
        return name;
    }

    /**
     * What one all-reduce took.
     *
     * @param ns by the slowest rank
     * @param cpuNs user and system time, all ranks together
     */
    record Turn(double ns, double cpuNs) {}

    /** Runs that many all-reduces. */
    Turn run(long bytes, int iterations) throws IOException {
        long cpuNs = cpuNs();
        say("run " + bytes + " " + iterations);
        long slowest = 0;
        for (String answer : hear()) {
            slowest = Math.max(slowest, Long.parseLong(answer));
        }
        return new Turn((double) slowest / iterations, (double) (cpuNs() - cpuNs) / iterations);
    }

    private long cpuNs() {
        return processes.stream()
                .mapToLong(
                        process ->
                                process.info()
                                        .totalCpuDuration()
                                        .map(java.time.Duration::toNanos)
                                        .orElse(0L))
                .sum();
    }

    @Override
    public void close() throws IOException {
        for (BufferedWriter order : orders) {
            order.close();
        }
        processes.forEach(Process::destroy);
    }

    private void start(List<String> command) throws IOException {
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        processes.add(process);
        answers.add(
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
        orders.add(
                new BufferedWriter(
                        new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8)));
    }

    private void say(String line) throws IOException {
        for (BufferedWriter order : orders) {
            order.write(line + "\n");
            order.flush();
        }
    }

    private List<String> hear() throws IOException {
        List<String> lines = new ArrayList<>();
        for (BufferedReader answer : answers) {
            String line = answer.readLine();
            if (line == null) {
                throw new IOException(name + " ended early");
            }
            lines.add(line);
        }
        return lines;
    }
}
