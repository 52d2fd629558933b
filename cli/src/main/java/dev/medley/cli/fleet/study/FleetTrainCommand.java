package dev.medley.cli.fleet.study;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.fleet.catalog.LearnedPolicies;
import dev.medley.fleet.learning.DqnOptions;
import dev.medley.fleet.learning.ExponentTraining;
import dev.medley.fleet.learning.LearnedExponents;
import dev.medley.fleet.learning.TrainingOptions;
import dev.medley.fleet.learning.episode.GavelEpisodes;
import dev.medley.fleet.trace.GavelRates;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.WriteFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Trains a choice of the index's exponents on virtual time. */
@Command(
        name = "train",
        header = "Train which exponents of the index suit which state of a fleet.",
        description = {
            "",
            "Plays drawn workloads (seeds of 100 and above) and learns by a double DQN, or a",
            "table. What it learns is rewarded against the best fixed exponents on the same",
            "arrivals; the curve is part of the result. The same seed gives the same file on the",
            "same kind of processor."
        },
        footer = {
            "",
            "Examples:",
            "  medley fleet train --rates simulation_throughputs.json.gz --out learned.json",
            "  medley hub --policy learned:learned.json"
        })
public final class FleetTrainCommand extends Options implements Callable<Integer> {
    @Option(
            names = "--rates",
            required = true,
            paramLabel = "FILE",
            description = "Rates of Gavel's job kinds by machine type.")
    private Path rates = Path.of("");

    @Option(
            names = "--out",
            required = true,
            paramLabel = "FILE",
            description = "Where what was learnt is written.")
    private @Nullable Path out;

    @Option(
            names = "--episodes",
            paramLabel = "N",
            description = "Workloads to learn from (default: ${DEFAULT-VALUE}).")
    private int episodes = 300;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Jobs of a workload (default: ${DEFAULT-VALUE}).")
    private int jobs = 1000;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of weights and exploration (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--tabular",
            description = "Learn a table of states cut into boxes instead of a network.")
    private boolean isTabular;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public FleetTrainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws WriteFailure {
        ConfigException.check(Files.isRegularFile(rates), "%s: there is no such file", rates);
        ConfigException.check(jobs >= 10, "--jobs %d: give 10 or more", jobs);
        GavelRates known = GavelRates.read(rates, List.of("v100", "p100", "k80"));
        TrainingOptions options =
                new TrainingOptions(seed, episodes, 12, 20, 3600, isTabular, DqnOptions.DEFAULTS);
        LearnedExponents learned =
                new ExponentTraining(
                                options,
                                LearnedPolicies.KNOBS,
                                LearnedPolicies::index,
                                new GavelEpisodes(known, jobs),
                                terminal::say)
                        .run();
        Path file = out;
        if (file != null) {
            AtomicFile.write(file, Json.pretty(learned).getBytes(StandardCharsets.UTF_8));
            terminal.print("learnt on %d workloads: %s".formatted(episodes, file));
        }
        return ExitCode.DONE;
    }
}
