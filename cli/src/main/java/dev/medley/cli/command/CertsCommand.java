package dev.medley.cli.command;

import dev.medley.base.time.Clock;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.net.certs.ClusterFolder;
import dev.medley.net.certs.ClusterFolder.Machine;
import dev.medley.net.certs.ClusterFolder.Made;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes certificates for the machines of a cluster. */
@Command(
        name = "certs",
        header = "Make certificates, so that machines of a cluster know each other.",
        description = {
            "",
            "Makes an authority in FOLDER, and for each NAME a folder with its certificate and the"
                    + " join",
            "token, to be copied to that machine. What is there is kept: run it again with more"
                    + " names to",
            "add machines. To renew one, remove its folder first."
        },
        footer = {
            "",
            "Examples:",
            "  medley certs certs trainer gpu-1 gpu-2",
            "  medley certs certs gpu-3                 add a machine later",
            "  medley certs certs spot-7 --days 7       one that is not kept for long",
            "",
            "Whoever has FOLDER/authority.p12 can let machines into the cluster, and whoever has a",
            "machine's folder is that machine: see docs/security.md."
        })
public final class CertsCommand extends Options implements Callable<Integer> {
    /** A machine as scripts see it. */
    record Granted(String name, String folder, String validUntil, boolean isNew) {}

    /** The result as scripts see it. */
    record Result(String authority, boolean isNew, List<Granted> machines) {}

    @Mixin private JsonOption json = new JsonOption();

    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Parameters(index = "0", paramLabel = "FOLDER", description = "Of the cluster's authority.")
    private Path folder;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "NAME",
            description = "A machine: letters, digits, dots, dashes.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "365",
            description = "How long new certificates are valid (default: 365).")
    private int days = 365;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public CertsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Made made = new ClusterFolder(folder, Clock.system()).make(names, days);
        if (!json.printed(terminal, result(made))) {
            print(made);
        }
        return ExitCode.DONE;
    }

    private static Result result(Made made) {
        List<Granted> machines =
                made.machines().stream()
                        .map(
                                m ->
                                        new Granted(
                                                m.name(),
                                                m.folder().toString(),
                                                m.validUntil().toString(),
                                                m.isNew()))
                        .toList();
        return new Result(made.authority().toString(), made.isNew(), machines);
    }

    private void print(Made made) {
        String what = made.isNew() ? "new" : "kept";
        terminal.print(
                "%-4s  %s, the authority of %s"
                        .formatted(what, made.authority(), made.authorityName()));
        for (Machine machine : made.machines()) {
            terminal.print(
                    "%-4s  %s, valid until %s"
                            .formatted(
                                    machine.isNew() ? "new" : "kept",
                                    machine.folder(),
                                    day(machine.validUntil())));
        }
        Machine first = made.machines().get(0);
        Machine last = made.machines().get(made.machines().size() - 1);
        terminal.print("");
        terminal.print(
                "Keep the authority here. Copy each machine's folder to it, over a way you trust:");
        for (Machine machine : made.machines()) {
            terminal.print("  scp -rp %s %s:".formatted(machine.folder(), machine.name()));
        }
        terminal.print("");
        terminal.print("Then train on one machine, and offer the others:");
        terminal.print(
                "  medley train JOB.yaml --listen HOST:PORT --expect N --credentials "
                        + first.folder().getFileName());
        terminal.print(
                "  medley agent --join HOST:PORT --credentials " + last.folder().getFileName());
    }

    private static String day(Instant moment) {
        return moment.atZone(ZoneOffset.UTC).toLocalDate().toString();
    }
}
