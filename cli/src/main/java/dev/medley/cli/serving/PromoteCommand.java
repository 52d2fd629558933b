package dev.medley.cli.serving;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.RegistryEvent;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes an alias lead to another version, or to the one before. */
abstract class PromoteCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private RegistryOption registry = new RegistryOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "A model of the registry.")
    private String name = "";

    @Option(
            names = "--alias",
            paramLabel = "WORD",
            description = "Which alias (default: ${DEFAULT-VALUE}).")
    private String alias = Registry.PRODUCTION;

    @Option(names = "--because", paramLabel = "TEXT", description = "Why, for the history.")
    private @Nullable String because;

    private final Terminal terminal;

    PromoteCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** What is done, and what it is called. */
    abstract RegistryEvent done(Registry registry, String of, String under, String why);

    @Override
    public Integer call() {
        RegistryEvent event =
                done(registry.registry(), name, alias, because == null ? "" : because);
        if (!json.printed(terminal, event)) {
            terminal.print(
                    "%s@%s is version %d now; servers of registry:%s@%s change within seconds"
                            .formatted(name, alias, event.version(), name, alias));
        }
        return ExitCode.DONE;
    }

    /** To a version that is named. */
    @Command(
            name = "promote",
            header = "Make an alias lead to a version.",
            footer = {
                "",
                "Examples:",
                "  medley models promote churn 3",
                "  medley models promote churn 4 --alias canary --because 'AUC +0.01'"
            })
    static final class Promote extends PromoteCommand {
        @Parameters(index = "1", paramLabel = "VERSION", description = "A number, or an alias.")
        private String version = "";

        Promote(Terminal terminal) {
            super(terminal);
        }

        @Override
        RegistryEvent done(Registry registry, String of, String under, String why) {
            int found = registry.find(of, version);
            return registry.promote(of, found, under, RegistryOption.user(), why);
        }
    }

    /** To the one before. */
    @Command(
            name = "rollback",
            header = "Make an alias lead to the version that it led to before.",
            footer = {
                "",
                "Examples:",
                "  medley models rollback churn --because 'too many errors'"
            })
    static final class Rollback extends PromoteCommand {
        Rollback(Terminal terminal) {
            super(terminal);
        }

        @Override
        RegistryEvent done(Registry registry, String of, String under, String why) {
            return registry.rollback(of, under, RegistryOption.user(), why);
        }
    }
}
