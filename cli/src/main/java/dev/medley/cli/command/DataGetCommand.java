package dev.medley.cli.command;

import dev.medley.cli.download.Download;
import dev.medley.cli.download.PublicSet;
import dev.medley.cli.download.PublicSet.RemoteFile;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Fetches a public data set from its publisher. */
@Command(
        name = "get",
        header = "Fetch a public data set from its publisher.",
        description = {
            "",
            "Shows size and checksum and verifies both; goes on where an earlier attempt ended.",
            "Without NAME, lists the sets that are known."
        },
        footer = {
            "",
            "Examples:",
            "  medley data get",
            "  medley data get fashion-mnist",
            "  medley data get adult --to /data/adult",
            "  medley data get adult --mirror https://mirror.example.com/adult/"
        })
public final class DataGetCommand extends Options implements Callable<Integer> {
    /** A file as scripts see it. */
    record Fetched(String file, long bytes, String sha256, Download.Result result) {}

    @Mixin private JsonOption json = new JsonOption();

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The set.")
    private @Nullable String name;

    @Option(
            names = "--to",
            paramLabel = "DIR",
            description = "The folder for its files (default: data/NAME).")
    private @Nullable Path folder;

    @Option(
            names = "--mirror",
            paramLabel = "URL",
            description = "Fetch the files from this address instead of the publisher's.")
    private String mirror = "";

    private final Terminal terminal;

    DataGetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (name == null) {
            list();
            return ExitCode.DONE;
        }
        PublicSet set = PublicSet.named(name);
        Path into = folder != null ? folder : Path.of("data", set.name());
        if (!json.isAsked()) {
            terminal.print(set.title());
            terminal.print("Licence: " + set.licence());
        }
        List<Fetched> fetched = new ArrayList<>();
        for (RemoteFile file : set.files()) {
            fetched.add(fetch(file, into));
        }
        if (!json.printed(terminal, fetched)) {
            terminal.print("For a job file here:  " + set.use());
        }
        return ExitCode.DONE;
    }

    private void list() {
        if (json.printed(terminal, PublicSet.all())) {
            return;
        }
        for (PublicSet set : PublicSet.all()) {
            terminal.print(
                    "%-17s %9s  %s".formatted(set.name(), megabytes(set.bytes()), set.title()));
        }
    }

    private Fetched fetch(RemoteFile file, Path into) {
        Path target = into.resolve(file.target());
        if (!json.isAsked()) {
            terminal.print(
                    "%s  %s  SHA-256 %s"
                            .formatted(file.url(), megabytes(file.bytes()), file.sha256()));
        }
        Download.Result result =
                new Download()
                        .fetch(file, mirror, target, bytes -> terminal.live(progress(file, bytes)));
        terminal.endLive();
        if (!json.isAsked()) {
            terminal.print("  %s: %s".formatted(words(result), target));
        }
        return new Fetched(target.toString(), file.bytes(), file.sha256(), result);
    }

    private static String progress(RemoteFile file, long bytes) {
        return "%s  %d %%  %s"
                .formatted(file.fileName(), 100 * bytes / file.bytes(), megabytes(bytes));
    }

    private static String words(Download.Result result) {
        return switch (result) {
            case PRESENT -> "there already, verified";
            case FETCHED -> "fetched and verified";
            case RESUMED -> "the rest fetched, verified";
        };
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }
}
