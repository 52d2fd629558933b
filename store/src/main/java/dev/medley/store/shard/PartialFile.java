package dev.medley.store.shard;

import dev.medley.base.memory.SpanHash;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A file of a prepared set of which this machine has a part: a block comes when it is first read,
 * and stays for the next run. The file has its full length from the start. Beside it lies a list of
 * the checksums of the blocks that are here, so that a block which was half written when a machine
 * went down is fetched again.
 *
 * <p>Several processes may use one file: what they fetch is the same.
 *
 * <p>Thread: one at a time.
 */
public final class PartialFile implements AutoCloseable {
    private static final String MARK = ".partial";

    /** What is fetched together: one answer takes as long as the way is, however short it is. */
    private static final int MOST_AT_ONCE_BYTES = 4 << 20;

    private final ShardFile file;
    private final FileChannel data;
    private final FileChannel sums;
    private final int blocksAtOnce;

    private PartialFile(ShardFile file, FileChannel data, FileChannel sums, int blocksAtOnce) {
        this.file = file;
        this.data = data;
        this.sums = sums;
        this.blocksAtOnce = blocksAtOnce;
    }

    /** Makes a file of {@code bytes} bytes of which nothing is here. */
    public static void create(Path path, long bytes) throws IOException {
        Files.createFile(mark(path));
        try (RandomAccessFile whole = new RandomAccessFile(path.toFile(), "rw")) {
            whole.setLength(bytes);
        }
    }

    /** Whether the file at {@code path} may lack blocks. */
    static boolean isAt(Path path) {
        return Files.exists(mark(path));
    }

    /**
     * Opens one.
     *
     * @param folder of the set
     * @param neighbours blocks, from a multiple of them on, that are wanted soon after each other
     */
    static PartialFile open(Path folder, ShardFile file, int neighbours) throws IOException {
        Path path = folder.resolve(file.name());
        String list = "%s.%d.sums".formatted(file.name(), file.startByte());
        FileChannel data =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel sums =
                FileChannel.open(
                        folder.resolve(list),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        int fit = Math.max(1, MOST_AT_ONCE_BYTES / Math.max(1, file.blockBytes(0)));
        return new PartialFile(file, data, sums, Math.max(1, Math.min(fit, neighbours)));
    }

    private static Path mark(Path path) {
        return path.resolveSibling(path.getFileName() + MARK);
    }

    /** Whether a block has come, by the list. */
    boolean has(long block) throws IOException {
        return sum(block) != 0;
    }

    /** The bytes of a block, fetched if they are not here as they should be. */
    byte[] block(long block, BlockOrigin origin) throws IOException {
        long sum = sum(block);
        if (sum != 0) {
            byte[] here = new byte[file.blockBytes(block)];
            if (readFully(data, ByteBuffer.wrap(here), file.blockStart(block))
                    && sumOf(here) == sum) {
                return here;
            }
        }
        return fetched(block, origin);
    }

    private byte[] fetched(long block, BlockOrigin origin) throws IOException {
        long end = Math.min(file.layout().blocks(), (block / blocksAtOnce + 1) * blocksAtOnce);
        long last = block;
        while (last + 1 < end && !has(last + 1)) {
            last++;
        }
        long from = file.blockStart(block);
        int bytes = (int) (file.blockStart(last) + file.blockBytes(last) - from);
        byte[] come = origin.read(file.name(), from, bytes);
        if (come.length != bytes) {
            throw new IOException(
                    "%s: %d bytes from %d on were asked for, %d came"
                            .formatted(file.name(), bytes, from, come.length));
        }
        writeFully(data, ByteBuffer.wrap(come), from);
        ByteBuffer list = ByteBuffer.allocate(Math.toIntExact((last - block + 1) * Long.BYTES));
        for (long each = block; each <= last; each++) {
            list.putLong(sumOf(part(come, from, each)));
        }
        writeFully(sums, list.flip(), block * Long.BYTES);
        return part(come, from, block);
    }

    private byte[] part(byte[] come, long from, long block) {
        int at = (int) (file.blockStart(block) - from);
        return Arrays.copyOfRange(come, at, at + file.blockBytes(block));
    }

    /** 0 for a block that has not come. */
    private long sum(long block) throws IOException {
        ByteBuffer sum = ByteBuffer.allocate(Long.BYTES);
        return readFully(sums, sum, block * Long.BYTES) ? sum.getLong(0) : 0;
    }

    private static long sumOf(byte[] bytes) {
        SpanHash hash = new SpanHash();
        hash.update(ByteBuffer.wrap(bytes));
        long sum = Long.parseUnsignedLong(hash.hex(), 16);
        return sum == 0 ? 1 : sum;
    }

    private static boolean readFully(FileChannel from, ByteBuffer into, long at)
            throws IOException {
        while (into.hasRemaining()) {
            if (from.read(into, at + into.position()) < 0) {
                return false;
            }
        }
        return true;
    }

    private static void writeFully(FileChannel to, ByteBuffer bytes, long at) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes, at + bytes.position());
        }
    }

    @Override
    public void close() throws IOException {
        data.close();
        sums.close();
    }
}
