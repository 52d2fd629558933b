package dev.medley.cli.serving;

import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import dev.medley.base.text.Units;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.TrafficDeeds;
import dev.medley.serving.registry.TrafficPlan;
import dev.medley.serving.traffic.Comparison;
import dev.medley.serving.traffic.Evidence;
import dev.medley.serving.traffic.ShadowFigures;
import dev.medley.serving.traffic.TrafficStatus;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows how an alias's traffic is dealt out, and what its servers have seen. */
@Command(
        name = "traffic",
        header = "Show how requests are dealt out over versions, and what servers have seen.",
        footer = {"", "Examples:", "  medley models traffic churn"})
final class TrafficShowCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private RegistryOption registry = new RegistryOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "A model of the registry.")
    private String name = "";

    @Option(
            names = "--alias",
            paramLabel = "WORD",
            description = "Whose requests (default: ${DEFAULT-VALUE}).")
    private String alias = Registry.PRODUCTION;

    private final Terminal terminal;

    TrafficShowCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** As scripts see it. */
    record Shown(
            String name,
            String alias,
            int version,
            @Nullable TrafficPlan plan,
            List<TrafficStatus> servers) {}

    @Override
    public Integer call() {
        Registry models = registry.registry();
        TrafficDeeds deeds = new TrafficDeeds(models);
        int version = models.find(name, alias);
        Optional<TrafficPlan> plan = deeds.inForce(name, alias);
        List<TrafficStatus> servers =
                plan.map(p -> deeds.told(name, p, TrafficStatus.class)).orElse(List.of());
        Shown shown = new Shown(name, alias, version, plan.orElse(null), servers);
        if (!json.printed(terminal, shown)) {
            String words =
                    plan.map(TrafficPlan::words)
                            .orElse("version %d answers all requests".formatted(version));
            terminal.print("%s@%s: %s".formatted(name, alias, words));
            if (plan.isPresent() && servers.isEmpty()) {
                terminal.print("no server of it has told anything yet");
            }
            servers.forEach(this::print);
        }
        return ExitCode.DONE;
    }

    private void print(TrafficStatus status) {
        terminal.print("");
        terminal.print("%s: %s".formatted(status.server(), status.decision()));
        TextTable table =
                new TextTable()
                        .column("Version", Align.RIGHT)
                        .column("Share", Align.RIGHT)
                        .column("Requests", Align.RIGHT)
                        .column("Failed", Align.RIGHT);
        for (TrafficStatus.OfVersion each : status.versions()) {
            table.row(
                    List.of(
                            "" + each.version(),
                            Units.percent(each.share()),
                            Units.count(each.requests()),
                            Units.count(each.errors())));
        }
        terminal.print(table.text().stripTrailing());
        Evidence evidence = status.evidence();
        if (evidence != null) {
            print("errors", evidence.errors());
            print("latency (s)", evidence.latency());
            Comparison metric = evidence.metric();
            if (metric != null) {
                print("metric", metric);
            }
        }
        ShadowFigures.Sum shadow = status.shadow();
        if (shadow != null) {
            String words =
                    "of %s rows it says the same of %s, %s apart on average; %s requests passed"
                            + " over, %s failed";
            terminal.print(
                    words.formatted(
                            Units.count(shadow.rows()),
                            Units.percent(shadow.agreement()),
                            Units.metric(shadow.meanDifference()),
                            Units.count(shadow.dropped()),
                            Units.count(shadow.failed())));
        }
    }

    private void print(String what, Comparison c) {
        terminal.print(
                String.format(
                        Locale.ROOT,
                        "%s: %.4g of %d, beside %.4g of %d; evidence that it is worse %.3g, that it"
                                + " is as good %.3g",
                        what,
                        c.challengerMean(),
                        c.challengerCount(),
                        c.championMean(),
                        c.championCount(),
                        c.eWorse(),
                        c.eGood()));
    }
}
