package dev.medley.data.table.engine;

import dev.medley.base.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the native code that DuckDB unpacks. Its driver copies 70 MB of it into the temporary
 * folder, under a fresh name for each process, and removes that only at an orderly end. Linux keeps
 * a file that is mapped when its name goes, so here the name goes as soon as the code is loaded;
 * and names that no process has mapped, left by one that was killed before, go with it. Elsewhere
 * nothing is done.
 */
final class UnpackedEngine {
    private static final Logger LOG = LoggerFactory.getLogger(UnpackedEngine.class);
    private static final Path PROCESSES = Path.of("/proc");
    private static final Pattern NAME = Pattern.compile("libduckdb_java\\d+\\.so");
    private static final Pattern MAPPED = Pattern.compile("(/\\S*/libduckdb_java\\d+\\.so)$");

    /** One that another process is unpacking is not mapped yet. */
    private static final long UNPACKING_MILLIS = 120_000;

    private UnpackedEngine() {}

    /** To be called once the driver is loaded; trouble is no reason to stop. */
    static void remove() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        if (!Files.isReadable(PROCESSES.resolve("self/maps"))) {
            return;
        }
        try {
            for (Path own : mapped(PROCESSES.resolve("self"))) {
                if (temporary.equals(own.getParent())) {
                    Files.deleteIfExists(own);
                }
            }
            removeStale(temporary);
        } catch (IOException e) {
            LOG.debug("what DuckDB unpacked stays until the end", e);
        }
    }

    private static void removeStale(Path temporary) throws IOException {
        List<Path> old;
        try (Stream<Path> files = Files.list(temporary)) {
            old = files.filter(UnpackedEngine::isOld).toList();
        }
        if (old.isEmpty()) {
            return;
        }
        Set<Path> living = new HashSet<>();
        try (Stream<Path> processes = Files.list(PROCESSES)) {
            for (Path process : (Iterable<Path>) processes::iterator) {
                living.addAll(mapped(process));
            }
        }
        for (Path path : old) {
            if (!living.contains(path)) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static boolean isOld(Path path) {
        try {
            long ageMillis =
                    Clock.system().wallMillis() - Files.getLastModifiedTime(path).toMillis();
            return NAME.matcher(String.valueOf(path.getFileName())).matches()
                    && ageMillis > UNPACKING_MILLIS
                    && Files.getOwner(path).equals(Files.getOwner(PROCESSES.resolve("self")));
        } catch (IOException e) {
            return false; // It goes meanwhile.
        }
    }

    /** Libraries of DuckDB that a process has mapped; of a process of another user none. */
    private static Set<Path> mapped(Path process) {
        Set<Path> mapped = new HashSet<>();
        try (Stream<String> lines = Files.lines(process.resolve("maps"))) {
            for (String line : (Iterable<String>) lines::iterator) {
                Matcher library = MAPPED.matcher(line);
                if (library.find()) {
                    mapped.add(Path.of(library.group(1)));
                }
            }
        } catch (IOException | UncheckedIOException e) {
            return mapped; // No process, or gone, or another user's.
        }
        return mapped;
    }
}
