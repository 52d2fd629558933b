package dev.medley.cli.command;

import dev.medley.api.schema.JobReference;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the model families with their options and defaults. */
@Command(
        name = "models",
        header = "Show the model families with their options, and keep trained models.",
        description = {
            "",
            "A family goes under the key model: of a job file, by name or with its options."
                    + " Trained",
            "models are kept by the commands below, in versions: see docs/registry.md."
        },
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  medley models",
            "  medley models --json",
            "  medley models --schema > job.schema.json   the JSON Schema of job files, for"
                    + " editors",
            "  medley models register latest --as churn --promote"
        })
public final class ModelsCommand extends Options implements Callable<Integer> {
    /** A family as scripts see it. */
    record Family(
            String family, String title, String description, List<JobReference.Key> options) {}

    @Mixin private JsonOption json = new JsonOption();

    @Option(names = "--schema", description = "Print the JSON Schema of job files instead.")
    private boolean isSchemaAsked;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public ModelsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (isSchemaAsked) {
            terminal.print(JobReference.schema().stripTrailing());
        } else if (!json.printed(terminal, families())) {
            families().forEach(this::print);
            terminal.print("In a job file:");
            terminal.print("  model: mlp");
            terminal.print("  model: {family: cnn, channels: [32, 64, 128]}");
            terminal.print("  model: com.acme.MyNet      # your own class, see docs/job-file.md");
        }
        return ExitCode.DONE;
    }

    private static List<Family> families() {
        Map<String, List<JobReference.Key>> byFamily =
                JobReference.keys().stream()
                        .filter(k -> !k.family().isEmpty())
                        .collect(
                                Collectors.groupingBy(
                                        JobReference.Key::family,
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        return byFamily.entrySet().stream().map(e -> family(e.getKey(), e.getValue())).toList();
    }

    private static Family family(String name, List<JobReference.Key> keys) {
        JobReference.Words words = JobReference.family(name);
        List<JobReference.Key> options =
                keys.stream().filter(k -> !k.path().equals("model.family")).toList();
        return new Family(name, words.title(), words.description(), options);
    }

    private void print(Family family) {
        terminal.print(terminal.styled("bold", family.family()) + "  " + family.description());
        for (JobReference.Key option : family.options()) {
            String name = option.path().substring("model.".length());
            String value =
                    option.defaultText().isEmpty() ? "" : "; default " + option.defaultText();
            terminal.print("    %-11s %s%s".formatted(name, option.title(), value));
        }
        terminal.print("");
    }
}
