package dev.medley.store.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes folders for what a command needs only as long as it runs. A folder carries its process in
 * its name; those of processes that were killed are removed when the next one is made.
 */
public final class TemporaryFolder {
    private static final Pattern NAME =
            Pattern.compile("medley-[a-z]+-(?<pid>\\d+)-(?<started>\\d+)-\\d+");

    private TemporaryFolder() {}

    /**
     * A fresh folder in the system's temporary one, for its owner alone; whoever made it removes
     * it.
     *
     * @param what a word in small letters for people who look there
     */
    public static Path make(String what) throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        sweep(parent);
        ProcessHandle self = ProcessHandle.current();
        return Files.createTempDirectory(
                parent, "medley-%s-%d-%d-".formatted(what, self.pid(), startedMillis(self)));
    }

    private static void sweep(Path parent) throws IOException {
        List<Path> folders;
        try (Stream<Path> entries = Files.list(parent)) {
            folders = entries.filter(TemporaryFolder::isStale).toList();
        }
        for (Path folder : folders) {
            try {
                Leftovers.delete(folder);
            } catch (IOException e) {
                // Another user's; its owner removes it.
            }
        }
    }

    private static boolean isStale(Path path) {
        Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
        if (!name.matches()) {
            return false;
        }
        long startedMillis = Long.parseLong(name.group("started"));
        return ProcessHandle.of(Long.parseLong(name.group("pid")))
                .filter(process -> startedMillis(process) == startedMillis)
                .isEmpty();
    }

    private static long startedMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
