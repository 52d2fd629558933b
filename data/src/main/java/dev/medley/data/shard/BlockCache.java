package dev.medley.data.shard;

import dev.medley.data.shard.HeldSets.RecordHolder;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Caches blocks of a prepared set in the heap and drops the least recently used first. A block that
 * a caller holds stays valid after it left the cache. At least one block is kept, however small the
 * limit.
 *
 * <p>Thread: any. A block is read from the disk while others wait, which is right for one disk;
 * while one comes from another machine, only those wait that want blocks of the same file which are
 * not in the heap.
 */
public final class BlockCache implements AutoCloseable {
    /** Looked up for every sample: what a record does by itself is slow until it is compiled. */
    private record Key(String file, long startByte, long block) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && block == key.block
                    && startByte == key.startByte
                    && file.equals(key.file);
        }

        @Override
        public int hashCode() {
            return file.hashCode() + Long.hashCode(startByte) + Long.hashCode(block);
        }
    }

    private final Path folder;
    private final long limitBytes;
    private final BlockOrigin origin;
    private final @Nullable RecordHolder holder;
    private final Map<Key, byte[]> blocks = new LinkedHashMap<>(64, 0.75f, true);
    private final Map<String, FileChannel> channels = new HashMap<>();
    private final Map<ShardFile, PartialFile> partial = new HashMap<>();
    private long residentBytes;
    private long peakBytes;
    private long reads;
    private boolean closed;

    /**
     * An empty cache over the files of {@code folder}.
     *
     * @param origin of the blocks that are not there
     */
    public BlockCache(Path folder, long limitBytes, BlockOrigin origin) {
        this(folder, limitBytes, origin, null);
    }

    /** The same over what {@code holder} holds, where it is not null, and not over files. */
    public BlockCache(
            Path folder, long limitBytes, BlockOrigin origin, @Nullable RecordHolder holder) {
        this.folder = folder;
        this.limitBytes = limitBytes;
        this.origin = origin;
        this.holder = holder;
    }

    /** The bytes of a block, read if they are not here. They must not be changed. */
    public byte[] block(ShardFile file, long block) throws IOException {
        Key key = new Key(file.name(), file.startByte(), block);
        PartialFile some;
        synchronized (this) {
            byte[] found = blocks.get(key);
            if (found != null) {
                return found;
            }
            some = partial.get(file);
            if (some == null && holder == null) {
                return keep(key, read(file, block, file.blockBytes(block)));
            }
        }
        byte[] come = some == null ? held().block(file, block) : some.block(block, origin);
        synchronized (this) {
            byte[] found = blocks.get(key);
            return found != null ? found : keep(key, come);
        }
    }

    private RecordHolder held() {
        return Objects.requireNonNull(holder, "a set without files that nobody holds");
    }

    private byte[] keep(Key key, byte[] read) {
        evict(limitBytes - read.length);
        blocks.put(key, read);
        residentBytes += read.length;
        peakBytes = Math.max(peakBytes, residentBytes);
        reads++;
        return read;
    }

    /** Where the files are. */
    public Path folder() {
        return folder;
    }

    /** Bytes held now. */
    public synchronized long residentBytes() {
        return residentBytes;
    }

    /** The most bytes ever held. */
    public synchronized long peakBytes() {
        return peakBytes;
    }

    /** Blocks read from disk so far. */
    public synchronized long reads() {
        return reads;
    }

    /**
     * Opens a file now, so that it stays readable when its folder is removed later.
     *
     * @param neighbours blocks of one shard, which may be fetched together where some are not here
     */
    public synchronized void open(ShardFile file, int neighbours) throws IOException {
        if (holder != null) {
            return;
        }
        if (PartialFile.isAt(folder.resolve(file.name()))) {
            partial.put(file, PartialFile.open(folder, file, neighbours));
        } else {
            channel(file.name());
        }
    }

    /** Whether a block of a file that was opened is on this machine. */
    public synchronized boolean isHere(ShardFile file, long block) throws IOException {
        if (holder != null) {
            return holder.isHere(file, block);
        }
        PartialFile some = partial.get(file);
        return some == null || some.has(block);
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        blocks.clear();
        residentBytes = 0;
        for (FileChannel channel : channels.values()) {
            channel.close();
        }
        channels.clear();
        for (PartialFile some : partial.values()) {
            some.close();
        }
        partial.clear();
    }

    private void evict(long downToBytes) {
        Iterator<byte[]> oldest = blocks.values().iterator();
        while (residentBytes > downToBytes && oldest.hasNext()) {
            residentBytes -= oldest.next().length;
            oldest.remove();
        }
    }

    private byte[] read(ShardFile file, long block, int bytes) throws IOException {
        byte[] target = new byte[bytes];
        ByteBuffer buffer = ByteBuffer.wrap(target);
        long at = file.blockStart(block);
        FileChannel channel = channel(file.name());
        while (buffer.hasRemaining()) {
            int count = channel.read(buffer, at + buffer.position());
            if (count < 0) {
                throw new EOFException(
                        "%s ends at byte %d, block %d reaches to %d"
                                .formatted(file.name(), channel.size(), block, at + bytes));
            }
        }
        return target;
    }

    private FileChannel channel(String name) throws IOException {
        if (closed) {
            throw new IllegalStateException("the data of " + folder + " is closed");
        }
        FileChannel channel = channels.get(name);
        if (channel == null) {
            channel = FileChannel.open(folder.resolve(name), StandardOpenOption.READ);
            channels.put(name, channel);
        }
        return channel;
    }
}
