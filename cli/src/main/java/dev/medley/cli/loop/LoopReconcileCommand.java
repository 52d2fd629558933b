package dev.medley.cli.loop;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.connect.sync.Reconciliation;
import dev.medley.loop.run.Loop;
import dev.medley.loop.run.Reconciled;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares sources with their snapshots by count and checksum. */
@Command(
        name = "reconcile",
        header = "Compare sources with their snapshots, by count and checksum of all rows.",
        description = {
            "All rows are read. What changed in a source since its last sync differs, too.",
            "Exit codes: 0 equal, 1 failed, 2 something has to be changed, 3 they differ."
        },
        footer = {
            "",
            "Examples:",
            "  medley loop reconcile churn.yaml",
            "  medley loop reconcile churn.yaml customers --repair"
        })
final class LoopReconcileCommand extends Options implements Callable<Integer> {
    private static final int DIFFER = 3;

    @Mixin private JsonOption json = new JsonOption();
    @Mixin private LoopOption loop = new LoopOption();

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SOURCE",
            description = "One source by its name (default: all).")
    private @Nullable String source;

    @Option(
            names = "--repair",
            description = "Read all rows anew of those that differ, as a new version.")
    private boolean isRepairing;

    private final Terminal terminal;

    LoopReconcileCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        try (Loop opened = loop.open()) {
            List<Reconciled> all =
                    isRepairing
                            ? opened.reconciles().repair(source)
                            : opened.reconciles().compare(source);
            if (!json.printed(terminal, all)) {
                all.forEach(this::print);
            }
            return all.stream().allMatch(each -> each.found().isEqual()) ? ExitCode.DONE : DIFFER;
        }
    }

    private void print(Reconciled each) {
        Reconciliation found = each.found();
        terminal.print(
                "%s  version %d, synced %s"
                        .formatted(
                                terminal.styled("bold", each.source()),
                                each.version(),
                                LoopOption.time(each.syncedMs())));
        if (each.repair() != null) {
            terminal.print(
                    "  all %,d rows were read anew: %,d new, %,d changed, %,d gone"
                            .formatted(
                                    each.repair().rowsRead(),
                                    each.repair().difference().added(),
                                    each.repair().difference().changed(),
                                    each.repair().difference().gone()));
        }
        terminal.print("  " + found.words());
        if (!found.isEqual()) {
            terminal.print(
                    each.repair() == null
                            ? "  the next run brings what has changed since; --repair reads all of"
                                    + " it anew"
                            : "  the source changes meanwhile, or the snapshot's files are damaged:"
                                  + " then move its folder away, and the next run reads all of it");
        }
    }
}
