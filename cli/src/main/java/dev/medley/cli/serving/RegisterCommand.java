package dev.medley.cli.serving;

import dev.medley.cli.option.ModelOptions;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.VersionCard;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Copies a trained model into the registry. */
@Command(
        name = "register",
        header = "Copy a trained model into the registry, as the next version of a name.",
        footer = {
            "",
            "Examples:",
            "  medley models register latest --as churn",
            "  medley models register runs/churn-20261121-101500 --as churn --promote"
        })
final class RegisterCommand extends ModelOptions implements Callable<Integer> {
    @Mixin private RegistryOption registry = new RegistryOption();

    @Option(names = "--as", required = true, paramLabel = "NAME", description = "Its name there.")
    private String name = "";

    @Option(names = "--because", paramLabel = "TEXT", description = "Why, for the history.")
    private @Nullable String because;

    @Option(names = "--promote", description = "It answers as production from now on.")
    private boolean isPromoted;

    RegisterCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() {
        Registry models = registry.registry();
        String why = because == null ? "" : because;
        VersionCard card = models.register(name, model(), RegistryOption.user(), why);
        if (isPromoted) {
            models.promote(name, card.version(), Registry.PRODUCTION, RegistryOption.user(), why);
        }
        if (!printedJson(card)) {
            terminal.print(
                    "%s version %d (%s, of run %s)%s"
                            .formatted(
                                    name,
                                    card.version(),
                                    card.family(),
                                    card.run(),
                                    isPromoted ? ", which is " + name + "@production now" : ""));
        }
        return ExitCode.DONE;
    }
}
