package dev.medley.data.shard;

import dev.medley.base.memory.SpanHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a file of a prepared set of which this machine has a part. A block comes when it is first
 * read, and stays for the next run. The file has its full length from the start. Beside it lies a
 * list of the checksums of the blocks that are here, so that a block which was half written when a
 * machine went down is fetched again.
 *
 * <p>Several processes may use one file: what they fetch is the same.
 *
 * <p>Thread: any; who asks for a block waits until one that is under way has come. {@link #close}
 * does not wait.
 */
public final class PartialFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartialFile.class);
    private static final String MARK = ".partial";

    /** Blocks are fetched together up to this: even a short answer takes the latency of a link. */
    private static final int MOST_AT_ONCE_BYTES = 1 << 20;

    private final ShardFile file;
    private final FileChannel data;
    private final FileChannel sums;
    private final int neighbours;
    private boolean hasComplained;

    private PartialFile(ShardFile file, FileChannel data, FileChannel sums, int neighbours) {
        this.file = file;
        this.data = data;
        this.sums = sums;
        this.neighbours = neighbours;
    }

    /** Makes a file of {@code bytes} bytes of which nothing is here. */
    public static void create(Path path, long bytes) throws IOException {
        Files.createFile(mark(path));
        try (FileChannel whole =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.SPARSE,
                        StandardOpenOption.WRITE)) {
            if (bytes > 0) {
                writeFully(whole, ByteBuffer.allocate(1), bytes - 1);
            }
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
     * @param neighbours blocks, from a multiple of them on, that are of one shard: others may never
     *     be wanted here
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
        return new PartialFile(file, data, sums, neighbours);
    }

    private static Path mark(Path path) {
        return path.resolveSibling(path.getFileName() + MARK);
    }

    /** Whether a block has come, by the list. */
    synchronized boolean has(long block) throws IOException {
        return sum(block) != 0;
    }

    /** The bytes of a block, fetched if they are not here as they should be. */
    synchronized byte[] block(long block, BlockOrigin origin) throws IOException {
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
        long first = block;
        while (first > groupStart(block) && sum(first - 1) == 0) {
            first--;
        }
        long last = block;
        while (last + 1 < groupEnd(block) && sum(last + 1) == 0) {
            last++;
        }
        long from = file.blockStart(first);
        int bytes = (int) (file.blockStart(last) + file.blockBytes(last) - from);
        byte[] come = origin.read(file.name(), from, bytes);
        if (come.length != bytes) {
            throw new IOException(
                    "%s: %d bytes from %d on were asked for, %d came"
                            .formatted(file.name(), bytes, from, come.length));
        }
        keep(come, first, last);
        return part(come, from, block);
    }

    /** First of the blocks that are fetched together: some of one shard. */
    private long groupStart(long block) {
        return block - block % neighbours % atOnce();
    }

    private long groupEnd(long block) {
        long shardEnd = block - block % neighbours + neighbours;
        long groupEnd = Math.min(shardEnd, groupStart(block) + atOnce());
        return Math.min(groupEnd, file.layout().blocks());
    }

    private int atOnce() {
        return Math.max(1, MOST_AT_ONCE_BYTES / file.blockBytes(0));
    }

    /** A disk that is full is no reason to stop: what is not kept is fetched when it is needed. */
    private void keep(byte[] come, long first, long last) {
        long from = file.blockStart(first);
        ByteBuffer list = ByteBuffer.allocate(Math.toIntExact((last - first + 1) * Long.BYTES));
        for (long each = first; each <= last; each++) {
            list.putLong(sumOf(part(come, from, each)));
        }
        try {
            writeFully(data, ByteBuffer.wrap(come), from);
            writeFully(sums, list.flip(), first * Long.BYTES);
        } catch (IOException e) {
            if (!hasComplained) {
                LOG.warn("blocks of {} are not kept on this machine: {}", file.name(), "" + e);
            }
            hasComplained = true;
        }
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
