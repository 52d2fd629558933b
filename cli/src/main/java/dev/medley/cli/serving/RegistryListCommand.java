package dev.medley.cli.serving;

import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.RegistryEvent;
import dev.medley.serving.registry.VersionCard;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows what is in the registry, and what was done there. */
final class RegistryListCommand {
    private RegistryListCommand() {}

    /** A version, as scripts see it. */
    record Listed(String name, List<String> aliases, VersionCard card) {}

    /** Shows versions. */
    @Command(
            name = "list",
            header = "Show the models of the registry, or the versions of one.",
            footer = {"", "Examples:", "  medley models list", "  medley models list churn"})
    static final class Versions extends Options implements Callable<Integer> {
        @Mixin private JsonOption json = new JsonOption();
        @Mixin private RegistryOption registry = new RegistryOption();

        @Parameters(
                index = "0",
                arity = "0..1",
                paramLabel = "NAME",
                description = "A model of the registry (default: all).")
        private @Nullable String name;

        private final Terminal terminal;

        Versions(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            Registry models = registry.registry();
            List<Listed> all = new ArrayList<>();
            for (String each : name == null ? models.names() : List.of(name)) {
                for (VersionCard card : models.versions(each)) {
                    all.add(new Listed(each, models.aliases(each, card.version()), card));
                }
            }
            if (!json.printed(terminal, all)) {
                print(all);
            }
            return ExitCode.DONE;
        }

        private void print(List<Listed> all) {
            if (all.isEmpty()) {
                terminal.print("no models yet: medley models register latest --as NAME");
                return;
            }
            TextTable table =
                    new TextTable()
                            .column("Model", Align.LEFT)
                            .column("Version", Align.RIGHT)
                            .column("Aliases", Align.LEFT)
                            .column("Family", Align.LEFT)
                            .column("Run", Align.LEFT)
                            .column("Metrics", Align.LEFT);
            for (Listed each : all) {
                table.row(
                        List.of(
                                each.name(),
                                "" + each.card().version(),
                                String.join(", ", each.aliases()),
                                each.card().family(),
                                each.card().run(),
                                metrics(each.card().metrics())));
            }
            terminal.print(table.text().stripTrailing());
        }

        private static String metrics(Map<String, Double> metrics) {
            return metrics.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .limit(3)
                    .map(m -> String.format(Locale.ROOT, "%s %.4g", m.getKey(), m.getValue()))
                    .collect(Collectors.joining(", "));
        }
    }

    /** Shows deeds. */
    @Command(
            name = "history",
            header = "Show what was registered, promoted and rolled back, when and by whom.",
            footer = {"", "Examples:", "  medley models history churn"})
    static final class History extends Options implements Callable<Integer> {
        @Mixin private JsonOption json = new JsonOption();
        @Mixin private RegistryOption registry = new RegistryOption();

        @Parameters(index = "0", paramLabel = "NAME", description = "A model of the registry.")
        private String name = "";

        private final Terminal terminal;

        History(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            List<RegistryEvent> events = registry.registry().history(name);
            if (json.printed(terminal, events)) {
                return ExitCode.DONE;
            }
            TextTable table =
                    new TextTable()
                            .column("When", Align.LEFT)
                            .column("What", Align.LEFT)
                            .column("By", Align.LEFT)
                            .column("Why", Align.LEFT);
            for (RegistryEvent event : events) {
                table.row(List.of(event.at(), what(event), event.by(), event.why()));
            }
            terminal.print(table.text().stripTrailing());
            return ExitCode.DONE;
        }

        private static String what(RegistryEvent event) {
            return switch (event.kind()) {
                case REGISTERED -> "version %d registered".formatted(event.version());
                case PROMOTED -> "%s is version %d".formatted(event.alias(), event.version());
                case ROLLED_BACK ->
                        "%s is version %d again".formatted(event.alias(), event.version());
                case TRAFFIC ->
                        "%s: %s"
                                .formatted(
                                        event.alias(),
                                        event.plan() == null ? "" : event.plan().words());
                case SETTLED ->
                        "%s: version %d answers alone".formatted(event.alias(), event.version());
                case REMOVED -> "version %d removed".formatted(event.version());
            };
        }
    }
}
