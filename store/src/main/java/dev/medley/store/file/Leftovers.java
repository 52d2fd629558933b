package dev.medley.store.file;

import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names files and folders that are under way, and finds those that a killed process left. {@code
 * .NAME.PID-COUNT-MACHINE.tmp} is being built; {@code .NAME.PID-COUNT-MACHINE.old} is a folder that
 * is being replaced. What is built is stale when the process PID of this machine no longer runs;
 * another machine's, when nothing was added to it for a day. What is replaced is put back by any
 * machine: one that is lost cannot do it.
 */
final class Leftovers {
    static final String BUILDING = "tmp";
    static final String REPLACED = "old";

    private static final Pattern NAME =
            Pattern.compile(
                    "\\.(?<target>.+)\\.(?<pid>\\d+)-\\d+(-(?<machine>[0-9a-f]{8}))?\\.(?<state>tmp|old)");

    /** For clocks of machines that differ, too. */
    private static final Duration FOREIGN = Duration.ofDays(1);

    private static final long OWN_PID = ProcessHandle.current().pid();
    private static final AtomicLong COUNT = new AtomicLong();
    private static final Set<Path> UNDER_WAY = ConcurrentHashMap.newKeySet();

    private Leftovers() {}

    /** A fresh name beside {@code target} to build it under, ours until released. */
    static Path reserve(Path target) {
        return reserve(target, BUILDING);
    }

    static Path reserve(Path target, String state) {
        Path absolute = target.toAbsolutePath();
        String name =
                ".%s.%d-%d-%s.%s"
                        .formatted(
                                absolute.getFileName(),
                                OWN_PID,
                                COUNT.incrementAndGet(),
                                MachineMark.OWN,
                                state);
        Path path = absolute.resolveSibling(name);
        UNDER_WAY.add(path);
        return path;
    }

    static void release(Path path) {
        UNDER_WAY.remove(path);
    }

    /** Removes what killed processes were building, and settles what they were replacing. */
    static void sweep(Path folder) throws IOException {
        for (Path path : stale(folder)) {
            Matcher name = match(path);
            Path target = folder.resolve(name.group("target"));
            if (name.group("state").equals(REPLACED) && !Files.exists(target)) {
                putBack(path, target);
            } else {
                discard(path, target);
            }
        }
    }

    /** Undoes a replacement that was cut short. */
    static void putBack(Path old, Path target) throws IOException {
        try {
            Files.move(old, target);
            AtomicFile.syncFolder(AtomicFile.folderOf(target));
        } catch (NoSuchFileException e) {
            // another process sweeps as well
        }
    }

    /** Removes what was set aside for a replacement that has come to its end. */
    static void discardReplaced(Path target) throws IOException {
        if (Files.exists(target)) {
            for (Path old : replaced(target)) {
                discard(old, target);
            }
        }
    }

    /**
     * Removes a folder or file after giving it a name under which nobody takes it for whole: a kill
     * in the middle leaves garbage, not half of something.
     */
    static void discard(Path path, Path target) throws IOException {
        Path garbage = reserve(target);
        try {
            Files.move(path, garbage, StandardCopyOption.ATOMIC_MOVE);
            delete(garbage);
        } catch (NoSuchFileException e) {
            // another process sweeps as well
        } finally {
            release(garbage);
        }
    }

    /** The stale replaced folders of one target, for readers that must not write. */
    static List<Path> replaced(Path target) throws IOException {
        Path absolute = target.toAbsolutePath();
        Path folder = absolute.getParent();
        if (folder == null) {
            return List.of();
        }
        return stale(folder).stream()
                .filter(p -> match(p).group("state").equals(REPLACED))
                .filter(p -> folder.resolve(match(p).group("target")).equals(absolute))
                .toList();
    }

    /** Removes a file or a whole tree; what is not there, or goes meanwhile, is fine. */
    static void delete(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            Files.walkFileTree(path, new Deletion());
        } else {
            Files.deleteIfExists(path);
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }

    private static List<Path> stale(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder.toAbsolutePath())) {
            entries.filter(Leftovers::isStale).forEach(found::add);
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
        return found;
    }

    /** Whether another process that lives builds something in a folder; unknown is no. */
    static boolean isUnderWayElsewhere(Path folder) {
        try (Stream<Path> entries = Files.list(folder.toAbsolutePath())) {
            return entries.map(Leftovers::match)
                    .filter(name -> name.matches() && name.group("state").equals(BUILDING))
                    .filter(name -> !isForeign(name))
                    .mapToLong(name -> Long.parseLong(name.group("pid")))
                    .anyMatch(pid -> pid != OWN_PID && ProcessHandle.of(pid).isPresent());
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isStale(Path path) {
        Matcher name = match(path);
        if (!name.matches() || UNDER_WAY.contains(path)) {
            return false;
        }
        if (isForeign(name) && name.group("state").equals(BUILDING)) {
            return isOld(path);
        }
        long pid = Long.parseLong(name.group("pid"));
        return pid == OWN_PID || ProcessHandle.of(pid).isEmpty();
    }

    private static boolean isForeign(Matcher name) {
        String machine = name.group("machine");
        return machine != null && !machine.equals(MachineMark.OWN);
    }

    private static boolean isOld(Path path) {
        try {
            long lastMillis = Files.getLastModifiedTime(path).toMillis();
            return lastMillis + FOREIGN.toMillis() < Clock.system().wallMillis();
        } catch (IOException e) {
            return false; // It has gone.
        }
    }

    private static Matcher match(Path path) {
        Matcher matcher = NAME.matcher(String.valueOf(path.getFileName()));
        matcher.matches();
        return matcher;
    }
}
