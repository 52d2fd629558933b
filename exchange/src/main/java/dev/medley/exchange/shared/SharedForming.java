package dev.medley.exchange.shared;

import dev.medley.base.memory.Span;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.sum.Transport;
import dev.medley.net.link.FaultSignal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Agrees with all peers on shared memory, or on doing without it. Each creates its segment, all say
 * whether they could; each maps those of the others, all say whether they could; then the names are
 * deleted.
 */
public final class SharedForming {
    private final SegmentFolder folder;
    private final SegmentMapper mapper;
    private final String run;
    private final int epoch;
    private final long bufferBytes;
    private final int boxBytes;

    /** How a stretch of a file becomes memory. */
    @FunctionalInterface
    public interface SegmentMapper {
        /** Maps a stretch of a file, shared and writable. */
        Span map(Path file, long offset, long bytes) throws IOException;
    }

    /** The outcome: a transport, or the reason why not, the same on all ranks. */
    public record Agreement(@Nullable Transport transport, String whyNot) {}

    /**
     * @param run names the run in file names
     * @param boxBytes slices up to this length take the path of one wait
     */
    public SharedForming(
            SegmentFolder folder,
            SegmentMapper mapper,
            String run,
            int epoch,
            long bufferBytes,
            int boxBytes) {
        this.folder = folder;
        this.mapper = mapper;
        this.run = run;
        this.epoch = epoch;
        this.bufferBytes = bufferBytes;
        this.boxBytes = boxBytes;
    }

    /**
     * Makes the segments; called by every member of the group.
     *
     * @param mates the ranks of this rank's site, ascending
     */
    public Agreement agree(Peers peers, List<Integer> mates) throws FaultSignal {
        Path file = folder.file(run, epoch, peers.rank());
        FileChannel channel = null;
        String trouble = "";
        try {
            channel = folder.create(file, Segment.headBytes(boxBytes) + bufferBytes);
        } catch (IOException | RuntimeException e) {
            trouble = because(e);
        }
        try {
            String whyNot = firstTrouble(peers, peers.vote(trouble));
            if (!whyNot.isEmpty()) {
                return new Agreement(null, whyNot);
            }
            return mapAll(peers, mates);
        } finally {
            letGo(channel, file);
        }
    }

    private Agreement mapAll(Peers peers, List<Integer> mates) throws FaultSignal {
        @Nullable Segment[] segments = new @Nullable Segment[peers.size()];
        String trouble = "";
        try {
            for (int rank = 0; rank < segments.length; rank++) {
                segments[rank] = map(folder.file(run, epoch, rank));
            }
        } catch (IOException | RuntimeException e) {
            trouble = because(e);
        }
        String whyNot = firstTrouble(peers, peers.vote(trouble));
        if (!whyNot.isEmpty()) {
            return new Agreement(null, whyNot);
        }
        Segment[] all = new Segment[segments.length];
        for (int rank = 0; rank < all.length; rank++) {
            all[rank] = Objects.requireNonNull(segments[rank]);
        }
        String description = "shared memory between %d processes".formatted(all.length);
        return new Agreement(new SharedSum(peers, mates, description, all, boxBytes), "");
    }

    private Segment map(Path file) throws IOException {
        long headBytes = Segment.headBytes(boxBytes);
        Span head = mapper.map(file, 0, headBytes);
        Span buffer =
                bufferBytes == 0
                        ? Span.of(ByteBuffer.allocateDirect(0))
                        : mapper.map(file, headBytes, bufferBytes);
        return new Segment(head, boxBytes, buffer);
    }

    private static String firstTrouble(Peers peers, List<String> votes) {
        for (int rank = 0; rank < votes.size(); rank++) {
            if (!votes.get(rank).isEmpty()) {
                return peers.name(rank) + " has no shared memory: " + votes.get(rank);
            }
        }
        return "";
    }

    private static String because(Exception e) {
        Function<Exception, String> name = any -> any.getClass().getSimpleName();
        return e.getMessage() == null ? name.apply(e) : name.apply(e) + ": " + e.getMessage();
    }

    private static void letGo(@Nullable FileChannel channel, Path file) {
        try {
            if (channel != null) {
                Files.deleteIfExists(file);
                channel.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot delete " + file, e);
        }
    }
}
