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
import org.jspecify.annotations.Nullable;

/**
 * Two workers of one thread against two ranks of PyTorch's DistributedDataParallel: throughput,
 * what the exchange costs, and time to the target. Rounds are interleaved; medians are printed with
 * the lowest and highest.
 */
public final class TrainingBenchmark {
    private static final int WORKERS = 2;

    private final Path shared;
    private final PeerRun peer;
    private final Path runs;
    private final int rounds;
    private final Map<Task, Integer> steps;
    private final List<String> lines = new ArrayList<>();

    private TrainingBenchmark(
            Path shared, PeerRun peer, Path runs, int rounds, Map<Task, Integer> steps) {
        this.shared = shared;
        this.peer = peer;
        this.runs = runs;
        this.rounds = rounds;
        this.steps = steps;
    }

    @FunctionalInterface
    private interface Contender {
        Measured run() throws IOException, InterruptedException;
    }

    /**
     * {@code --shared DIR --python FILE [--rounds N] [--steps N] [--target] [--task NAME]
     * [--markdown FILE]}.
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
                        steps);
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
        Map<String, Contender> contenders = new LinkedHashMap<>();
        contenders.put("DDP", () -> peer.together(WORKERS, peerArguments(task, task.batch, count)));
        contenders.put(
                "DDP tuned",
                () ->
                        peer.together(
                                WORKERS, with(peerArguments(task, task.batch, count), "--tuned")));
        contenders.put(
                "Medley fp32", () -> medley(task, WORKERS, task.batch, Precision.FP32, count));
        contenders.put(
                "Medley auto", () -> medley(task, WORKERS, task.batch, Precision.AUTO, count));
        contenders.put(
                "PyTorch halves apart",
                () -> peer.apart(WORKERS, peerArguments(task, task.batch / 2, count)));
        contenders.put("Medley halves apart", () -> medleyApart(task, count));
        Map<String, List<Measured>> results = interleaved(contenders);
        say("");
        say(
                "### "
                        + task.peerName
                        + ", batch "
                        + task.batch
                        + ", "
                        + WORKERS
                        + " workers of 1 thread");
        say("");
        say("| contender | samples/s | lowest to highest | ms per step | whole command, s |");
        say("|---|---|---|---|---|");
        results.forEach((name, all) -> say(row(name, all)));
        double best = Math.max(rate(results, "DDP"), rate(results, "DDP tuned"));
        double peerCost = step(results, "DDP") - step(results, "PyTorch halves apart");
        double ownCost = step(results, "Medley fp32") - step(results, "Medley halves apart");
        say("");
        say(
                format(
                        "fp32 %.3fx the better DDP; auto %.3fx DDP's default; exchange costs %.2f"
                                + " ms a step, DDP's %.2f ms (%.2fx)",
                        rate(results, "Medley fp32") / best,
                        rate(results, "Medley auto") / rate(results, "DDP"),
                        ownCost,
                        peerCost,
                        ownCost / peerCost));
    }

    private void timeToTarget(Task task) throws IOException, InterruptedException {
        List<String> arguments =
                List.of(
                        task.peerName,
                        "--batch",
                        Integer.toString(task.batch),
                        "--target",
                        Double.toString(task.target),
                        "--epochs",
                        "10");
        Map<String, Contender> contenders = new LinkedHashMap<>();
        contenders.put("DDP", () -> peer.together(WORKERS, arguments));
        contenders.put("DDP tuned", () -> peer.together(WORKERS, with(arguments, "--tuned")));
        contenders.put("Medley fp32", () -> medleyToTarget(task, Precision.FP32));
        contenders.put("Medley auto", () -> medleyToTarget(task, Precision.AUTO));
        Map<String, List<Measured>> results = interleaved(contenders);
        say("");
        say(
                "### "
                        + task.peerName
                        + " to "
                        + task.target
                        + ", "
                        + WORKERS
                        + " workers of 1 thread");
        say("");
        say("| contender | seconds in steps to the target | metric there | whole command, s |");
        say("|---|---|---|---|");
        results.forEach(
                (name, all) ->
                        say(
                                format(
                                        "| %s | %s | %s | %.1f |",
                                        name,
                                        all.stream().map(m -> shown(m.secondsToTarget())).toList(),
                                        all.stream().map(m -> shown(m.metric())).toList(),
                                        median(all.stream().map(Measured::wallSeconds).toList()))));
    }

    private Measured medley(Task task, int workers, int batch, Precision precision, int count) {
        return MedleyRun.of(
                task.job(shared, workers, batch, precision, task.warmSteps + count, null),
                runs,
                task.warmSteps,
                null);
    }

    private Measured medleyToTarget(Task task, Precision precision) {
        return MedleyRun.of(
                task.job(shared, WORKERS, task.batch, precision, 20_000, task.target),
                runs,
                0,
                task.target);
    }

    /** As many runs of one worker as there are workers, at the same time; the slowest. */
    private Measured medleyApart(Task task, int count) throws InterruptedException {
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
                                                count);
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

    private Map<String, List<Measured>> interleaved(Map<String, Contender> contenders)
            throws IOException, InterruptedException {
        Map<String, List<Measured>> results = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, Contender> contender : contenders.entrySet()) {
                Measured measured = contender.getValue().run();
                results.computeIfAbsent(contender.getKey(), k -> new ArrayList<>()).add(measured);
                System.err.printf(
                        Locale.ROOT,
                        "round %d: %-20s %s%n",
                        round + 1,
                        contender.getKey(),
                        measured);
            }
        }
        return results;
    }

    private static List<String> peerArguments(Task task, int batch, int count) {
        return List.of(
                task.peerName,
                "--batch",
                Integer.toString(batch),
                "--steps",
                Integer.toString(task.warmSteps + count),
                "--warm",
                Integer.toString(task.warmSteps),
                "--eval-every",
                "1000000");
    }

    private static List<String> with(List<String> arguments, String more) {
        List<String> all = new ArrayList<>(arguments);
        all.add(more);
        return all;
    }

    private static String row(String name, List<Measured> all) {
        List<Double> rates = all.stream().map(Measured::samplesPerSecond).sorted().toList();
        return format(
                "| %s | %.0f | %.0f to %.0f | %.2f | %.1f |",
                name,
                median(rates),
                rates.get(0),
                rates.get(rates.size() - 1),
                median(all.stream().map(Measured::stepMillis).toList()),
                median(all.stream().map(Measured::wallSeconds).toList()));
    }

    private static double rate(Map<String, List<Measured>> results, String name) {
        return median(
                results.getOrDefault(name, List.of()).stream()
                        .map(Measured::samplesPerSecond)
                        .toList());
    }

    private static double step(Map<String, List<Measured>> results, String name) {
        return median(
                results.getOrDefault(name, List.of()).stream().map(Measured::stepMillis).toList());
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int count = sorted.size();
        return count == 0 ? Double.NaN : (sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2;
    }

    private static String shown(@Nullable Double value) {
        return value == null ? "not reached" : format("%.3f", value);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private void say(String line) {
        lines.add(line);
        System.out.println(line);
    }
}
