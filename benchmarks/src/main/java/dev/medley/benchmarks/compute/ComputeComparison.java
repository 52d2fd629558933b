package dev.medley.benchmarks.compute;

import dev.medley.base.Json;
import dev.medley.tensor.Torch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs Medley and the peer in turn, each in a process of its own on the same core, and prints how
 * they compare. benchmarks/compute/run.sh starts it, and explains its options.
 */
public final class ComputeComparison {
    /** The implementations that are measured. */
    enum Contestant {
        PYTORCH_DEFAULT_FP32,
        PYTORCH_DEFAULT,
        PYTORCH_TUNED,
        MEDLEY
    }

    private final ComparisonOptions options;

    private ComputeComparison(ComparisonOptions options) {
        this.options = options;
    }

    /** Prints a table; writes it as Markdown too if {@code --markdown FILE} is given. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        ComparisonOptions options = ComparisonOptions.parse(List.of(arguments));
        ComputeComparison comparison = new ComputeComparison(options);
        ComparisonTable table = new ComparisonTable();
        for (String precision : options.precisions()) {
            for (Task task : options.tasks()) {
                comparison.compare(task, precision, table);
            }
        }
        System.out.println(table.markdown());
        if (options.markdown() != null) {
            Files.writeString(options.markdown(), table.markdown());
        }
    }

    private void compare(Task task, String precision, ComparisonTable table)
            throws IOException, InterruptedException {
        Map<Contestant, List<Measurement>> results = new EnumMap<>(Contestant.class);
        List<Contestant> contestants = new ArrayList<>(List.of(Contestant.values()));
        if (precision.equals("fp32")) {
            contestants.remove(Contestant.PYTORCH_DEFAULT_FP32);
        }
        for (int round = 0; round < options.rounds(); round++) {
            for (int i = 0; i < contestants.size(); i++) {
                Contestant next = contestants.get((round + i) % contestants.size());
                Measurement measured = run(next, task, precision);
                System.err.printf(
                        Locale.ROOT,
                        "%s %s round %d %s: %.1f samples/s%n",
                        task.peerName(),
                        precision,
                        round + 1,
                        next,
                        measured.samplesPerSecond());
                results.computeIfAbsent(next, c -> new ArrayList<>()).add(measured);
            }
        }
        table.add(task, precision, results);
    }

    private Measurement run(Contestant contestant, Task task, String precision)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("taskset", "-c", options.core()));
        String seconds = Double.toString(options.seconds());
        String warm = Integer.toString(options.warmSteps(task));
        if (contestant == Contestant.MEDLEY) {
            command.addAll(
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            MedleyProcess.class.getName(),
                            task.name(),
                            precision.toUpperCase(Locale.ROOT),
                            seconds,
                            warm,
                            "1"));
        } else {
            boolean isFloat = contestant == Contestant.PYTORCH_DEFAULT_FP32;
            command.addAll(
                    List.of(
                            options.python(),
                            options.wrapper().toString(),
                            options.peer().toString(),
                            task.peerName(),
                            warm,
                            seconds,
                            "--precision",
                            isFloat ? "fp32" : precision));
            if (contestant == Contestant.PYTORCH_TUNED) {
                command.add("--tuned");
            }
        }
        return measure(command, contestant);
    }

    private static Measurement measure(List<String> command, Contestant contestant)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("OMP_NUM_THREADS", "1");
        if (contestant == Contestant.MEDLEY) {
            builder.environment().putAll(Torch.environment(1));
        }
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(command + " failed: " + output);
        }
        List<String> lines = output.lines().toList();
        return Json.parse(lines.get(lines.size() - 1), Measurement.class);
    }
}
