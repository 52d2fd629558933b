package dev.medley.cli.history;

import dev.medley.base.ConfigException;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.option.RunsOption;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunLock;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Removes runs. */
@Command(
        name = "rm",
        header = "Remove runs with everything in their folders: models, checkpoints, records.",
        description = {"", "A run that goes on is not removed. The full name is needed."},
        footer = {"", "Examples:", "  medley runs rm adult-20261121-101500"})
public final class RunsRemoveCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private RunsOption runs = new RunsOption();

    @Parameters(arity = "1..*", paramLabel = "RUN", description = "Names or folders of runs.")
    private List<String> names = new ArrayList<>();

    private final Terminal terminal;

    RunsRemoveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        List<RunFolder> folders = names.stream().map(this::removable).distinct().toList();
        List<RunLock> held = new ArrayList<>();
        try {
            folders.forEach(folder -> held.add(hold(folder)));
            for (int i = 0; i < folders.size(); i++) {
                remove(folders.get(i).path().toAbsolutePath().normalize(), held.get(i));
            }
        } finally {
            held.forEach(RunLock::close);
        }
        List<String> removed = folders.stream().map(f -> f.path().toString()).toList();
        if (!json.printed(terminal, removed)) {
            removed.forEach(path -> terminal.print("removed " + path));
        }
        return ExitCode.DONE;
    }

    private RunFolder removable(String name) {
        RunFolder folder = RunFolder.find(runs.folder(), name);
        Path named = Path.of(name);
        if (!folder.name().equals(named.normalize().getFileName().toString())) {
            throw new ConfigException(
                    "%s is not the full name of a run; did you mean %s? Nothing was removed"
                            .formatted(name, folder.name()));
        }
        if (RunRecord.summary(folder).state() == RunStatus.RUNNING) {
            throw new ConfigException(
                    "%s goes on: interrupt it first. Nothing was removed".formatted(folder.name()));
        }
        return folder;
    }

    /** Whoever resumes a run holds it before the record says so: its data may take long. */
    private static RunLock hold(RunFolder folder) {
        try {
            return RunLock.take(folder);
        } catch (ConfigException e) {
            throw new ConfigException(e.getMessage() + ". Nothing was removed", e);
        }
    }

    /** A file that is open cannot be removed everywhere: what holds the run goes last. */
    private static void remove(Path folder, RunLock held) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(folder) && !path.equals(held.file())) {
                    Files.delete(path);
                }
            }
            held.close();
            Files.deleteIfExists(held.file());
            Files.delete(folder);
        } catch (IOException e) {
            throw new ConfigException(
                    "%s cannot be removed: %s; look whether its disk is mounted read-only, or whose"
                                    .formatted(folder, e.getMessage())
                            + " it is",
                    e);
        }
    }
}
