package dev.medley.hub.journal;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.fleet.state.FleetEntry;
import dev.medley.fleet.state.FleetJournal;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keeps a journal as lines of JSON, each forced to the disk before it counts, and whole states in
 * files that are written whole. Generation n is {@code state-n.jsonl} and what was appended since,
 * {@code journal-n.jsonl}. A last line that was cut short was never answered for, and is dropped;
 * any other line that cannot be read is an error, since what follows may rest on it.
 *
 * <p>The folder is held for one hub. Belongs to the hub's thread.
 */
public final class FileJournal implements FleetJournal {
    private final Path folder;
    private final FileChannel lock;
    private final List<FleetEntry> found = new ArrayList<>();
    private long generation;
    private FileChannel channel;

    /**
     * Bytes of whole lines in the channel's file; behind them is at most what could not be written
     * whole.
     */
    private long wholeBytes;

    private FileJournal(Path folder, FileChannel lock) throws IOException {
        this.folder = folder;
        this.lock = lock;
        generation = newest();
        if (generation > 0) {
            read(state(generation), false);
        }
        Path journal = journal(generation);
        long whole = Files.exists(journal) ? read(journal, true) : 0;
        channel = FileChannel.open(journal, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        wholeBytes = whole;
        cutBack();
    }

    /** The next line begins where the last whole one ended. */
    private void cutBack() throws IOException {
        channel.truncate(wholeBytes);
        channel.position(wholeBytes);
    }

    /**
     * Opens the journal of a folder, which is made if it is not there.
     *
     * @throws ConfigException if another hub holds it, or it cannot be read
     */
    public static FileJournal open(Path folder) {
        try {
            Files.createDirectories(folder);
            FileChannel lock =
                    FileChannel.open(
                            folder.resolve(".lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (!isAlone(lock)) {
                lock.close();
                throw new ConfigException(
                        "%s: another hub works with this folder; stop it first, or give --folder"
                                .formatted(folder));
            }
            return new FileJournal(folder, lock);
        } catch (IOException e) {
            throw new ConfigException(
                    "%s: cannot be used as a hub's folder (%s)".formatted(folder, e.getMessage()),
                    e);
        }
    }

    private static boolean isAlone(FileChannel lock) throws IOException {
        try {
            FileLock taken = lock.tryLock();
            return taken != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private Path state(long number) {
        return folder.resolve("state-" + number + ".jsonl");
    }

    private Path journal(long number) {
        return folder.resolve("journal-" + number + ".jsonl");
    }

    private long newest() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("state-\\d+\\.jsonl"))
                    .mapToLong(name -> Long.parseLong(name.replaceAll("\\D", "")))
                    .max()
                    .orElse(0);
        }
    }

    /** Bytes of whole lines. */
    private long read(Path file, boolean mayBeCut) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int from = 0;
        int number = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                number++;
                String line = new String(bytes, from, i - from, StandardCharsets.UTF_8);
                found.add(entry(file, number, line));
                from = i + 1;
            }
        }
        ConfigException.check(
                mayBeCut || from == bytes.length,
                "%s:%d: the file ends within a line; take it from a backup",
                file,
                number + 1);
        return from;
    }

    private static FleetEntry entry(Path file, int number, String line) {
        try {
            return Json.parse(line, FleetEntry.class);
        } catch (RuntimeException e) {
            throw new ConfigException(
                    "%s:%d: this line of the journal cannot be read (%s); mend it, or take the"
                                    .formatted(file, number, firstLine(e))
                            + " folder from a backup",
                    e);
        }
    }

    private static String firstLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    @Override
    public List<FleetEntry> replay() {
        List<FleetEntry> entries = List.copyOf(found);
        found.clear();
        return entries;
    }

    @Override
    public void append(FleetEntry entry) {
        byte[] line = (Json.line(entry).strip() + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            cutBack(); // A full disk may have taken half of the line before.
            ByteBuffer rest = ByteBuffer.wrap(line);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(false);
            wholeBytes += line.length;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the journal cannot be written (%s)".formatted(e.getMessage()), e);
        }
    }

    @Override
    public void snapshot(List<FleetEntry> whole) {
        try {
            StringBuilder lines = new StringBuilder();
            whole.forEach(entry -> lines.append(Json.line(entry).strip()).append('\n'));
            long next = generation + 1;
            FileChannel empty =
                    FileChannel.open(
                            journal(next),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE);
            try {
                // From here on this generation counts: its journal has to be there before.
                AtomicFile.write(state(next), lines.toString().getBytes(StandardCharsets.UTF_8));
            } catch (IOException | RuntimeException e) {
                empty.close();
                throw e;
            }
            FileChannel old = channel;
            channel = empty;
            wholeBytes = 0;
            old.close();
            Files.deleteIfExists(journal(generation));
            Files.deleteIfExists(state(generation));
            generation = next;
        } catch (IOException e) {
            throw new UncheckedIOException("the hub's state cannot be written", e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
