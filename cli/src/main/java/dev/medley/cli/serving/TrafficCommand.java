package dev.medley.cli.serving;

import dev.medley.base.ConfigException;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.serving.registry.CanaryGoals;
import dev.medley.serving.registry.CanaryGoals.Better;
import dev.medley.serving.registry.CanaryGoals.IfGood;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.RegistryEvent;
import dev.medley.serving.registry.TrafficDeeds;
import dev.medley.serving.registry.TrafficDeeds.Deed;
import dev.medley.serving.registry.TrafficPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deals the traffic of an alias out over versions, or ends that. */
abstract class TrafficCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private RegistryOption registry = new RegistryOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "A model of the registry.")
    private String name = "";

    @Option(
            names = "--alias",
            paramLabel = "WORD",
            description = "Whose requests (default: ${DEFAULT-VALUE}).")
    private String alias = Registry.PRODUCTION;

    @Option(names = "--because", paramLabel = "TEXT", description = "Why, for the history.")
    private @Nullable String because;

    private final Terminal terminal;

    TrafficCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** What is done. */
    abstract RegistryEvent done(Registry models, TrafficDeeds deeds, Deed deed);

    @Override
    public Integer call() {
        Registry models = registry.registry();
        String why = because == null ? "" : because;
        Deed deed = new Deed(name, alias, RegistryOption.user(), why);
        RegistryEvent event = done(models, new TrafficDeeds(models), deed);
        if (!json.printed(terminal, event)) {
            TrafficPlan plan = event.plan();
            terminal.print(
                    "%s@%s: %s; servers of registry:%s@%s follow within seconds"
                            .formatted(
                                    name,
                                    alias,
                                    plan == null
                                            ? "version %d answers all requests"
                                                    .formatted(event.version())
                                            : plan.words(),
                                    name,
                                    alias));
        }
        return ExitCode.DONE;
    }

    /** A share for a version that is judged. */
    @Command(
            name = "canary",
            header = "Have a version answer a share of the requests, and judge it by what comes.",
            description = {
                "",
                "A server ends it when more requests fail, take longer or bring worse outcomes"
                        + " than",
                "chance explains, and says so in the history. Again with a larger share, who was in"
                        + " stays in."
            },
            footer = {
                "",
                "Examples:",
                "  medley models canary churn 3 --share 5%% --because 'AUC +0.01'",
                "  medley models canary churn 3 --share 20%% --promote",
                "  medley models canary ads 7 --share 5%% --metric clicks",
                "  medley models canary shop 2 --share 5%% --metric minutes --lower-is-better"
                        + " --range 0..60"
            })
    static final class Canary extends TrafficCommand {
        @Parameters(index = "1", paramLabel = "VERSION", description = "A number, or an alias.")
        private String version = "";

        @Option(
                names = "--share",
                paramLabel = "PERCENT",
                description = "Of the requests (default: ${DEFAULT-VALUE}).")
        private String share = "5%";

        @Option(
                names = "--metric",
                paramLabel = "WORD",
                description = {
                    "What callers report of answers, at /v1/models/NAME:outcome",
                    "(default: none; errors and latency count always)."
                })
        private String metric = "";

        @Option(names = "--lower-is-better", description = "Lower values of the metric are better.")
        private boolean isLowerBetter;

        @Option(
                names = "--range",
                paramLabel = "LOW..HIGH",
                description = "Of its values (default: ${DEFAULT-VALUE}).")
        private String range = "0..1";

        @Option(
                names = "--margin",
                paramLabel = "PERCENT",
                description = {
                    "By which it may be worse and still is good: of all answers for errors,",
                    "of the range for the metric (default: ${DEFAULT-VALUE})."
                })
        private String margin = "1%";

        @Option(names = "--promote", description = "A server promotes it when it is good.")
        private boolean isPromoted;

        Canary(Terminal terminal) {
            super(terminal);
        }

        @Override
        RegistryEvent done(Registry models, TrafficDeeds deeds, Deed deed) {
            ConfigException.check(
                    !metric.isEmpty() || !isLowerBetter && range.equals("0..1"),
                    "--range and --lower-is-better are about a metric: name it by --metric WORD");
            double[] ends = TrafficWords.range(range);
            CanaryGoals goals =
                    new CanaryGoals(
                            metric,
                            isLowerBetter ? Better.LOWER : Better.HIGHER,
                            ends[0],
                            ends[1],
                            TrafficWords.share("--margin", margin),
                            isPromoted ? IfGood.PROMOTE : IfGood.WAIT);
            double part = TrafficWords.share("--share", share);
            return deeds.canary(deed, models.find(deed.name(), version), part, goals);
        }
    }

    /** A version that computes beside. */
    @Command(
            name = "shadow",
            header =
                    "Have a version compute what others answer, and compare; nobody gets what it"
                            + " says.",
            footer = {"", "Examples:", "  medley models shadow churn 3"})
    static final class Shadow extends TrafficCommand {
        @Parameters(index = "1", paramLabel = "VERSION", description = "A number, or an alias.")
        private String version = "";

        Shadow(Terminal terminal) {
            super(terminal);
        }

        @Override
        RegistryEvent done(Registry models, TrafficDeeds deeds, Deed deed) {
            return deeds.shadow(deed, models.find(deed.name(), version));
        }
    }

    /** Shares for several. */
    @Command(
            name = "split",
            header = "Have several versions answer, each a share of the requests.",
            footer = {"", "Examples:", "  medley models split churn 2=90%% 3=10%%"})
    static final class Split extends TrafficCommand {
        @Parameters(
                index = "1..*",
                arity = "1..*",
                paramLabel = "VERSION=PERCENT",
                description = "Each version's share; they sum to 100 %%.")
        private List<String> shares = new ArrayList<>();

        Split(Terminal terminal) {
            super(terminal);
        }

        @Override
        RegistryEvent done(Registry models, TrafficDeeds deeds, Deed deed) {
            return deeds.split(
                    deed, TrafficWords.shares(shares, each -> models.find(deed.name(), each)));
        }
    }

    /** An end of it. */
    @Command(
            name = "settle",
            header = "End a canary, a shadow or a split: the alias's version answers alone.",
            footer = {"", "Examples:", "  medley models settle churn --because 'seen enough'"})
    static final class Settle extends TrafficCommand {
        Settle(Terminal terminal) {
            super(terminal);
        }

        @Override
        RegistryEvent done(Registry models, TrafficDeeds deeds, Deed deed) {
            return deeds.settle(deed);
        }
    }
}
