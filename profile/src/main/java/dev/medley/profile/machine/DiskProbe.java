package dev.medley.profile.machine;

import com.sun.nio.file.ExtendedOpenOption;
import dev.medley.base.text.Units;
import dev.medley.base.time.Clock;
import dev.medley.profile.machine.MachineProfile.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Measures how fast a folder's disk is. Writing counts until the device has confirmed (fsync);
 * reading goes past the page cache (O_DIRECT) where the file system can, and says so where it
 * cannot. A host's cache below a virtual machine, or a disk's own, cannot be seen from here.
 */
final class DiskProbe {
    private static final int BLOCK_BYTES = 4 << 20;
    private static final int FILE_BYTES = 64 << 20;
    private static final String NO_DISK = "this file system lies in memory, not on a disk";
    private static final int REPEATS = 3;
    private static final long BUDGET_NS = 1_200_000_000L;

    private final Clock clock;

    DiskProbe(Clock clock) {
        this.clock = clock;
    }

    /** How fast a disk is. */
    record Speed(Figure write, Figure read) {}

    /**
     * What the system says of a folder's disk, without writing anything; its speeds are unknown.
     */
    static Disk look(Path folder) {
        String device = "unknown";
        String type = "unknown";
        long freeBytes = 0;
        try {
            FileStore store = Files.getFileStore(folder);
            device = store.name();
            type = store.type();
            freeBytes = store.getUsableSpace();
        } catch (IOException e) {
            type = "unknown (" + e.getMessage() + ")";
        }
        Figure not = Figure.unknown("not measured in a quick look");
        return new Disk(folder.toAbsolutePath().toString(), device, type, freeBytes, not, not);
    }

    /** Writes and reads a file of 64 MiB, and deletes it. */
    Speed probe(Path folder) {
        Path file = null;
        try {
            file = Files.createTempFile(folder, ".medley-disk-", ".tmp");
            Figure write = write(file);
            Figure read = read(file);
            return isMemory(file)
                    ? new Speed(write.estimated(NO_DISK), read.estimated(NO_DISK))
                    : new Speed(write, read);
        } catch (IOException e) {
            Figure not = Figure.unknown("the folder cannot be written: " + e.getMessage());
            return new Speed(not, not);
        } finally {
            delete(file);
        }
    }

    private static boolean isMemory(Path file) throws IOException {
        String type = Files.getFileStore(file).type();
        return type.equals("tmpfs") || type.equals("ramfs");
    }

    private Figure write(Path file) throws IOException {
        ByteBuffer block = noise();
        List<Double> rates = new ArrayList<>();
        long endNs = clock.nowNs() + BUDGET_NS;
        do {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                long startNs = clock.nowNs();
                for (int at = 0; at < FILE_BYTES; at += BLOCK_BYTES) {
                    block.clear();
                    while (block.hasRemaining()) {
                        channel.write(block);
                    }
                }
                channel.force(true);
                rates.add(FILE_BYTES * 1e9 / (clock.nowNs() - startNs));
            }
        } while (rates.size() < REPEATS && clock.nowNs() < endNs);
        return measured(rates, Units.bytes(FILE_BYTES) + " written and synced");
    }

    private Figure read(Path file) throws IOException {
        try {
            return read(
                    file,
                    Set.of(StandardOpenOption.READ, ExtendedOpenOption.DIRECT),
                    Units.bytes(FILE_BYTES) + " read past the page cache");
        } catch (IOException | UnsupportedOperationException e) {
            return read(file, Set.of(StandardOpenOption.READ), Units.bytes(FILE_BYTES) + " read")
                    .estimated("this file system reads through memory only: not the disk's speed");
        }
    }

    private Figure read(Path file, Set<? extends OpenOption> options, String how)
            throws IOException {
        int alignment = Math.toIntExact(Math.max(512, Files.getFileStore(file).getBlockSize()));
        ByteBuffer block =
                ByteBuffer.allocateDirect(BLOCK_BYTES + alignment).alignedSlice(alignment);
        block.limit(BLOCK_BYTES);
        ByteBuffer aligned = block.slice();
        List<Double> rates = new ArrayList<>();
        long endNs = clock.nowNs() + BUDGET_NS;
        do {
            try (FileChannel channel = FileChannel.open(file, options)) {
                long startNs = clock.nowNs();
                long bytes = 0;
                for (int n = 0; n >= 0; n = channel.read(aligned.clear())) {
                    bytes += n;
                }
                rates.add(bytes * 1e9 / (clock.nowNs() - startNs));
            }
        } while (rates.size() < REPEATS && clock.nowNs() < endNs);
        return measured(rates, how);
    }

    private static Figure measured(List<Double> rates, String how) {
        return Figure.measured(rates.stream().mapToDouble(Double::doubleValue).toArray(), how);
    }

    /** Bytes that no file system can compress or skip. */
    private static ByteBuffer noise() {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
        for (long i = 0; block.hasRemaining(); i++) {
            block.putLong(dev.medley.base.Seeds.mix(i));
        }
        return block;
    }

    private static void delete(@org.jspecify.annotations.Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }
}
