package dev.medley.benchmarks.training;

import dev.medley.base.job.TrainSpec.Precision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Measures two workers of one thread against two ranks of PyTorch's DistributedDataParallel:
 * throughput, the cost of the exchange, and time to the target. Rounds are interleaved; medians are
 * printed with the lowest and highest.
 */
public final class TrainingBenchmark {
    private static final int WORKERS = 2;

    /** Steps that neither side counts on the way to a target. */
    private static final int WARM_TO_TARGET = 20;

    /** What a careful user of the peer tries, by name; channels-last changes images alone. */
    private static final Map<String, List<String>> PEER = new LinkedHashMap<>();

    static {
        PEER.put("DDP", List.of());
        PEER.put("DDP tuned", List.of("--tuned", "--channels-last"));
        PEER.put("DDP tuned bf16", List.of("--tuned", "--channels-last", "--precision", "bf16"));
    }

    private final Path shared;
    private final PeerRun peer;
    private final Path runs;
    private final int rounds;
    private final Map<Task, Integer> steps;
    private final @Nullable Path raw;
    private final List<String> lines = new ArrayList<>();

    private TrainingBenchmark(
            Path shared,
            PeerRun peer,
            Path runs,
            int rounds,
            Map<Task, Integer> steps,
            @Nullable Path raw) {
        this.shared = shared;
        this.peer = peer;
        this.runs = runs;
        this.rounds = rounds;
        this.steps = steps;
        this.raw = raw;
    }

    /**
     * {@code --shared DIR --python FILE [--rounds N] [--steps N] [--target] [--task NAME] [--append
     * FILE] [--markdown FILE]}.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            boolean hasValue = i + 1 < arguments.length && !arguments[i + 1].startsWith("--");
            given.put(arguments[i], hasValue ? arguments[++i] : "");
        }
        Path shared = Path.of(given.get("--shared"));
        PeerRun peer =
                new PeerRun(
                        Path.of(given.get("--python")),
                        shared.resolve("peers/pytorch_ddp.py"),
                        shared.resolve("data"));
        int cnnSteps = Integer.parseInt(given.getOrDefault("--steps", "200"));
        Map<Task, Integer> steps =
                Map.of(Task.FASHION_CNN, cnnSteps, Task.SHAKESPEARE_GPT, cnnSteps / 2);
        Path runs = Files.createTempDirectory("medley-benchmark");
        TrainingBenchmark benchmark =
                new TrainingBenchmark(
                        shared,
                        peer,
                        runs,
                        Integer.parseInt(given.getOrDefault("--rounds", "3")),
                        steps,
                        given.containsKey("--append") ? Path.of(given.get("--append")) : null);
        for (Task task : Task.values()) {
            if (given.getOrDefault("--task", task.peerName).equals(task.peerName)) {
                if (given.containsKey("--target")) {
                    benchmark.timeToTarget(task);
                } else {
                    benchmark.throughput(task);
                }
            }
        }
        if (given.containsKey("--markdown")) {
            Files.write(Path.of(given.get("--markdown")), benchmark.lines);
        }
        System.exit(0);
    }

    private void throughput(Task task) throws IOException, InterruptedException {
        int count = steps.getOrDefault(task, 200);
        Rounds ran = new Rounds(task.peerName);
        Map<String, Rounds.Contender> contenders = new LinkedHashMap<>();
        PEER.forEach(
                (name, options) ->
                        contenders.put(
                                name,
                                seed ->
                                        peer.together(
                                                WORKERS,
                                                peerArguments(
                                                        task, task.batch, count, seed, options))));
        contenders.put(
                "Medley fp32",
                seed -> medley(task, WORKERS, task.batch, Precision.FP32, count, seed));
        contenders.put(
                "Medley auto",
                seed -> medley(task, WORKERS, task.batch, Precision.AUTO, count, seed));
        contenders.put(
                "PyTorch halves apart",
                seed ->
                        peer.apart(
                                WORKERS,
                                peerArguments(task, task.batch / 2, count, seed, List.of())));
        contenders.put("Medley halves apart", seed -> medleyApart(task, count, seed));
        ran.run(contenders, rounds, raw);
        heading(task.peerName + ", batch " + task.batch);
        say("| contender | samples/s | ms per step | whole command, s |");
        say("|---|---|---|---|");
        for (String name : ran.names()) {
            say(
                    format(
                            "| %s | %s | %s | %s |",
                            name,
                            ran.cell(name, "%.0f", Measured::samplesPerSecond),
                            ran.cell(name, "%.2f", Measured::stepMillis),
                            ran.cell(name, "%.1f", Measured::wallSeconds)));
        }
        overPeers(ran, "samples/s", Measured::samplesPerSecond);
        double peerCost =
                ran.median("DDP", Measured::stepMillis)
                        - ran.median("PyTorch halves apart", Measured::stepMillis);
        double ownCost =
                ran.median("Medley fp32", Measured::stepMillis)
                        - ran.median("Medley halves apart", Measured::stepMillis);
        say("");
        say(
                format(
                        "By medians the exchange costs %.2f ms a step, DDP's %.2f ms (%.2fx).",
                        ownCost, peerCost, ownCost / peerCost));
    }

    private void timeToTarget(Task task) throws IOException, InterruptedException {
        Rounds ran = new Rounds(task.peerName + " to " + task.target);
        Map<String, Rounds.Contender> contenders = new LinkedHashMap<>();
        PEER.forEach(
                (name, options) ->
                        contenders.put(
                                name,
                                seed -> peer.together(WORKERS, toTarget(task, seed, options))));
        contenders.put("Medley fp32", seed -> medleyToTarget(task, Precision.FP32, seed));
        contenders.put("Medley auto", seed -> medleyToTarget(task, Precision.AUTO, seed));
        ran.run(contenders, rounds, raw);
        heading(task.peerName + " to " + task.target);
        say("| contender | seconds in steps to the target | metric there | whole command, s |");
        say("|---|---|---|---|");
        for (String name : ran.names()) {
            say(
                    format(
                            "| %s | %s | %s | %s |",
                            name,
                            ran.cell(name, "%.1f", Measured::secondsToTarget),
                            ran.cell(name, "%.3f", Measured::metric),
                            ran.cell(name, "%.1f", Measured::wallSeconds)));
        }
        overPeers(ran, "seconds to target", Measured::secondsToTarget);
    }

    private void heading(String what) {
        say("");
        say("### " + what + ", " + WORKERS + " workers of 1 thread");
        say("");
    }

    private void overPeers(Rounds ran, String what, Function<Measured, @Nullable Double> figure) {
        say("");
        say(
                "| "
                        + what
                        + ", in pairs of one round | over "
                        + String.join(" | over ", PEER.keySet())
                        + " |");
        say("|---" + "|---".repeat(PEER.size()) + "|");
        for (String own : List.of("Medley fp32", "Medley auto")) {
            List<String> cells = new ArrayList<>();
            PEER.keySet().forEach(name -> cells.add(ran.ratio(own, name, figure)));
            say("| " + own + " | " + String.join(" | ", cells) + " |");
        }
    }

    private Measured medley(
            Task task, int workers, int batch, Precision precision, int count, int seed) {
        return MedleyRun.of(
                task.job(shared, workers, batch, precision, task.warmSteps + count, null, seed),
                runs,
                task.warmSteps,
                null);
    }

    private Measured medleyToTarget(Task task, Precision precision, int seed) {
        return MedleyRun.of(
                task.job(shared, WORKERS, task.batch, precision, 20_000, task.target, seed),
                runs,
                WARM_TO_TARGET,
                task.target);
    }

    /** As many runs of one worker as there are workers, at the same time; the slowest. */
    private Measured medleyApart(Task task, int count, int seed) throws InterruptedException {
        List<Measured> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            Thread thread =
                    new Thread(
                            () -> {
                                Measured one =
                                        medley(
                                                task,
                                                1,
                                                task.batch / WORKERS,
                                                Precision.FP32,
                                                count,
                                                seed);
                                synchronized (all) {
                                    all.add(one);
                                }
                            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return all.stream()
                .max((a, b) -> Double.compare(a.stepMillis(), b.stepMillis()))
                .orElseThrow();
    }

    private static List<String> peerArguments(
            Task task, int batch, int count, int seed, List<String> options) {
        List<String> all = common(task, batch, seed, options);
        all.addAll(List.of("--steps", Integer.toString(task.warmSteps + count)));
        all.addAll(List.of("--warm", Integer.toString(task.warmSteps), "--eval-every", "1000000"));
        return all;
    }

    private static List<String> toTarget(Task task, int seed, List<String> options) {
        List<String> all = common(task, task.batch, seed, options);
        all.addAll(List.of("--target", Double.toString(task.target), "--epochs", "10"));
        all.addAll(List.of("--warm", Integer.toString(WARM_TO_TARGET)));
        return all;
    }

    private static List<String> common(Task task, int batch, int seed, List<String> options) {
        List<String> all = new ArrayList<>(List.of(task.peerName));
        all.addAll(List.of("--batch", Integer.toString(batch), "--seed", Integer.toString(seed)));
        all.addAll(options);
        return all;
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private void say(String line) {
        lines.add(line);
        System.out.println(line);
    }
}
