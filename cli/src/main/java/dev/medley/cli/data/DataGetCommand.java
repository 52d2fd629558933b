package dev.medley.cli.data;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.store.download.DownloadOptions;
import dev.medley.store.download.DownloadedFile;
import dev.medley.store.download.DownloadedFile.Origin;
import dev.medley.store.download.Downloader;
import dev.medley.store.download.KnownDataSet;
import dev.medley.store.download.KnownDataSets;
import dev.medley.store.download.KnownFile;
import java.net.URI;
import java.nio.file.Path;
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
    record Fetched(String file, long bytes, String sha256, Origin result) {}

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
    private @Nullable URI mirror;

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
        KnownDataSet published = KnownDataSets.builtIn().find(name);
        KnownDataSet set = mirror == null ? published : published.from(mirror);
        if (!json.isAsked()) {
            introduce(set);
        }
        Path into = folder != null ? folder : Path.of("data", set.name());
        List<DownloadedFile> files =
                new Downloader(DownloadOptions.defaults())
                        .get(set, into, (file, done) -> terminal.live(progress(file, done)));
        terminal.endLive();
        List<Fetched> fetched =
                files.stream()
                        .map(f -> new Fetched("" + f.path(), f.bytes(), f.sha256(), f.origin()))
                        .toList();
        if (!json.printed(terminal, fetched)) {
            fetched.forEach(f -> terminal.print("%s: %s".formatted(f.file(), words(f.result()))));
            if (folder == null) {
                terminal.print("For a job file here:  " + set.use());
            }
        }
        return ExitCode.DONE;
    }

    private void list() {
        List<KnownDataSet> all = KnownDataSets.builtIn().all();
        if (json.printed(terminal, all)) {
            return;
        }
        for (KnownDataSet set : all) {
            terminal.print(
                    "%-17s %9s  %s".formatted(set.name(), megabytes(set.bytes()), set.title()));
        }
        terminal.print("");
        terminal.print("medley data get NAME fetches one.");
    }

    private void introduce(KnownDataSet set) {
        terminal.print(set.title());
        terminal.print("Licence: " + set.licence());
        for (KnownFile file : set.files()) {
            terminal.print(
                    "%s  %s  SHA-256 %s"
                            .formatted(file.urls().get(0), megabytes(file.bytes()), file.sha256()));
        }
    }

    private static String progress(KnownFile file, long bytes) {
        return "%s  %d %%  %s"
                .formatted(file.name(), 100 * bytes / Math.max(1, file.bytes()), megabytes(bytes));
    }

    private static String words(Origin origin) {
        return switch (origin) {
            case ALREADY_HERE -> "there already, verified";
            case FETCHED -> "fetched and verified";
            case RESUMED -> "the rest fetched, verified";
        };
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }
}
