package dev.medley.benchmarks.compute;

import dev.medley.base.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The options of a comparison: what is compared, and how long.
 *
 * @param tasks of the peer
 * @param precisions fp32, bf16
 * @param rounds in which everybody runs once
 * @param seconds of one run, warm-up left out
 * @param core that every process is pinned to
 * @param python with PyTorch
 * @param peer the peer's script
 * @param wrapper that runs it and measures
 * @param markdown file for the table; null for none
 */
record ComparisonOptions(
        List<Task> tasks,
        List<String> precisions,
        int rounds,
        double seconds,
        String core,
        String python,
        Path peer,
        Path wrapper,
        @Nullable Path markdown) {

    static ComparisonOptions parse(List<String> arguments) {
        String markdown = value(arguments, "--markdown", "");
        return new ComparisonOptions(
                Arrays.stream(value(arguments, "--tasks", "mlp,resnet18,gpt,lstm,mf").split(","))
                        .map(name -> Task.valueOf(name.toUpperCase(Locale.ROOT)))
                        .toList(),
                List.of(value(arguments, "--precisions", "fp32,bf16").split(",")),
                Integer.parseInt(value(arguments, "--rounds", "5")),
                Double.parseDouble(value(arguments, "--seconds", "10")),
                value(arguments, "--core", "1"),
                value(arguments, "--python", ""),
                Path.of(value(arguments, "--peer", "")),
                Path.of(value(arguments, "--wrapper", "")),
                markdown.isEmpty() ? null : Path.of(markdown));
    }

    /** More where steps are short: the JVM compiles while it warms up. */
    int warmSteps(Task task) {
        return switch (task) {
            case MLP, MF -> 200;
            case GPT, LSTM -> 10;
            case RESNET18 -> 3;
        };
    }

    private static String value(List<String> arguments, String name, String otherwise) {
        List<String> copy = new ArrayList<>(arguments);
        int at = copy.indexOf(name);
        ConfigException.check(at < 0 || at + 1 < copy.size(), "%s needs a value after it", name);
        return at < 0 ? otherwise : copy.get(at + 1);
    }
}
