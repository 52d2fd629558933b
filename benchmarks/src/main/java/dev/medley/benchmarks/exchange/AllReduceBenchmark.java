package dev.medley.benchmarks.exchange;

import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Measures the all-reduce of float32 in one process per rank: Medley over TCP and over shared
 * memory, and torch.distributed on Gloo. All contenders stand ready at once and run in turn, round
 * after round, so that what disturbs the machine disturbs all alike. Reports medians over rounds,
 * their spread, and how many times as fast as Gloo.
 */
public final class AllReduceBenchmark {
    private static final List<Long> ALL_SIZES = List.of(64L << 10, 1L << 20, 16L << 20, 100L << 20);
    private static final List<String> ALL_CONTENDERS = List.of("tcp", "shared", "gloo");
    private static final double NS_PER_MS = 1e6;
    private static final long TURN_BYTES_PER_SECOND = 1L << 30;

    private final Options options;
    private final StringBuilder table = new StringBuilder();

    private AllReduceBenchmark(Options options) {
        this.options = options;
    }

    /**
     * What to measure.
     *
     * @param rounds of each size
     * @param turnNs about how long a contender runs in one round
     * @param processes group sizes
     * @param sizes of the slice in bytes
     * @param contenders of tcp, shared, gloo
     * @param python of the peer
     * @param script of the peer
     * @param result where to write, or null
     */
    private record Options(
            int rounds,
            long turnNs,
            List<Integer> processes,
            List<Long> sizes,
            List<String> contenders,
            Path python,
            Path script,
            @Nullable Path result) {

        static Options parse(String[] arguments) {
            int rounds = 11;
            long turnMs = 500;
            List<Integer> processes = List.of(2, 4);
            List<Long> sizes = ALL_SIZES;
            List<String> contenders = ALL_CONTENDERS;
            Path script = Path.of("benchmarks/exchange/gloo_allreduce.py");
            Path result = null;
            String home = System.getenv("MEDLEY_PEERS");
            Path peers =
                    home != null
                            ? Path.of(home)
                            : Path.of(System.getProperty("user.home"), ".cache/medley-peers");
            for (int i = 0; i + 1 < arguments.length; i += 2) {
                String value = arguments[i + 1];
                switch (arguments[i]) {
                    case "--rounds" -> rounds = Integer.parseInt(value);
                    case "--turn-ms" -> turnMs = Long.parseLong(value);
                    case "--processes" -> processes = numbers(value);
                    case "--kilobytes" ->
                            sizes =
                                    numbers(value).stream()
                                            .map(kilobytes -> kilobytes * 1024L)
                                            .toList();
                    case "--only" -> contenders = contenders(value);
                    case "--script" -> script = Path.of(value);
                    case "--write" -> result = Path.of(value);
                    default ->
                            throw new IllegalArgumentException(
                                    "unknown option "
                                            + arguments[i]
                                            + ": --rounds, --turn-ms, --processes 2,4, --kilobytes"
                                            + " 64,1024, --only tcp,shared,gloo, --script FILE,"
                                            + " --write FOLDER");
                }
            }
            return new Options(
                    rounds,
                    turnMs * 1_000_000,
                    processes,
                    sizes,
                    contenders,
                    peers.resolve("bin/python"),
                    script,
                    result);
        }

        boolean takes(String contender) {
            return contenders.contains(contender);
        }

        private static List<String> contenders(String text) {
            List<String> named = List.of(text.split(",", -1));
            for (String name : named) {
                if (!ALL_CONTENDERS.contains(name)) {
                    throw new IllegalArgumentException(
                            "unknown contender '%s' after --only: there are %s"
                                    .formatted(name, String.join(", ", ALL_CONTENDERS)));
                }
            }
            return named;
        }

        private static List<Integer> numbers(String text) {
            return Arrays.stream(text.split(",", -1)).map(Integer::valueOf).toList();
        }
    }

    /** See {@code benchmarks/exchange/run.sh}. */
    public static void main(String[] arguments) throws IOException {
        Options options = Options.parse(arguments);
        AllReduceBenchmark benchmark = new AllReduceBenchmark(options);
        for (int size : options.processes()) {
            benchmark.measure(size);
        }
        if (options.result() != null) {
            benchmark.write(options.result());
        }
    }

    private void measure(int size) throws IOException {
        List<String> java = List.of("-Xmx256m", "-XX:MaxDirectMemorySize=1g");
        List<Contender> contenders = new ArrayList<>();
        try {
            if (options.takes("tcp")) {
                contenders.add(Contender.medley("TCP", "TCP", size, java));
            }
            if (options.takes("shared")) {
                contenders.add(Contender.medley("shared memory", "SHARED_MEMORY", size, java));
            }
            if (!options.takes("gloo")) {
                print("Without Gloo, as asked.");
            } else if (Files.isExecutable(options.python())) {
                contenders.add(Contender.gloo(options.python(), options.script(), size));
            } else {
                print("No Gloo: " + options.python() + " is absent; set MEDLEY_PEERS.");
            }
            head(size, contenders);
            for (long bytes : options.sizes()) {
                measure(bytes, contenders);
            }
        } finally {
            for (Contender contender : contenders) {
                contender.close();
            }
        }
    }

    private void measure(long bytes, List<Contender> contenders) throws IOException {
        int count = contenders.size();
        int[] iterations = new int[count];
        double[][] times = new double[count][options.rounds()];
        double[][] cpu = new double[count][options.rounds()];
        for (int i = 0; i < count; i++) {
            iterations[i] = warmUp(contenders.get(i), bytes);
        }
        for (int round = 0; round < options.rounds(); round++) {
            for (int i = 0; i < count; i++) {
                Contender.Turn turn = contenders.get(i).run(bytes, iterations[i]);
                times[i][round] = turn.ns() / NS_PER_MS;
                cpu[i][round] = turn.cpuNs() / NS_PER_MS;
            }
        }
        StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "| %s ", name(bytes)));
        double peer = median(times[count - 1]);
        boolean hasPeer = contenders.get(count - 1).name().equals("Gloo");
        for (int i = 0; i < count; i++) {
            row.append(cell(times[i], cpu[i]));
            if (hasPeer && i < count - 1) {
                row.append(String.format(Locale.ROOT, "| **%.2fx** ", peer / median(times[i])));
            }
        }
        print(row.append("|").toString());
    }

    /** Runs until compiled; returns how many iterations make up a turn. */
    private int warmUp(Contender contender, long bytes) throws IOException {
        int iterations = (int) Math.max(1, TURN_BYTES_PER_SECOND / 4 / bytes / 4);
        double ns = 0;
        for (int i = 0; i < 4; i++) {
            ns = contender.run(bytes, iterations).ns();
        }
        return (int) Math.max(1, Math.min(options.turnNs() / ns, 100_000));
    }

    private void head(int size, List<Contender> contenders) {
        print("");
        print("### " + size + " processes");
        print("");
        StringBuilder names = new StringBuilder("| slice ");
        StringBuilder rule = new StringBuilder("|---");
        for (Contender contender : contenders) {
            names.append("| ").append(contender.name()).append(", ms (spread) CPU ms ");
            rule.append("|---");
            if (!contender.name().equals("Gloo") && options.takes("gloo")) {
                names.append("| vs Gloo ");
                rule.append("|---");
            }
        }
        print(names.append("|").toString());
        print(rule.append("|").toString());
    }

    private static String cell(double[] times, double[] cpu) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return String.format(
                Locale.ROOT,
                "| %.3f (%.3f–%.3f) %.2f ",
                median(times),
                sorted[sorted.length / 4],
                sorted[(3 * sorted.length) / 4],
                median(cpu));
    }

    private static double median(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static String name(long bytes) {
        return bytes >= 1 << 20 ? (bytes >> 20) + " MB" : (bytes >> 10) + " KB";
    }

    private void print(String line) {
        System.out.println(line);
        table.append(line).append('\n');
    }

    private void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        LocalDate today =
                LocalDate.ofInstant(
                        Instant.ofEpochMilli(Clock.system().wallMillis()), ZoneOffset.UTC);
        Path file = folder.resolve(today + "-exchange.md");
        String text =
                "# All-reduce against Gloo, "
                        + today
                        + "\n\n"
                        + machine()
                        + "Command: `benchmarks/exchange/run.sh --write benchmarks/results`."
                        + " Float32, in place; time of the slowest rank; median over "
                        + options.rounds()
                        + " rounds in which all contenders run in turn; in parentheses the"
                        + " quartiles; then the CPU time of all ranks together.\n"
                        + table;
        Files.writeString(file, text);
        System.out.println("\nWritten to " + file);
    }

    private static String machine() throws IOException {
        String cpu = "unknown CPU";
        Path info = Path.of("/proc/cpuinfo");
        if (Files.isReadable(info)) {
            cpu =
                    Files.readAllLines(info).stream()
                            .filter(line -> line.startsWith("model name"))
                            .findFirst()
                            .map(line -> line.substring(line.indexOf(':') + 2))
                            .orElse(cpu);
        }
        return String.format(
                Locale.ROOT,
                "%s, %d cores, %s %s, Java %s. All processes on this machine; TCP over"
                        + " loopback.%n%n",
                cpu,
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("java.version"));
    }
}
