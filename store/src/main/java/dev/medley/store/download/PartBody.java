package dev.medley.store.download;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of one response to the part file from a position on. What arrived before a
 * connection broke stays in the file.
 *
 * <p>Thread: written by the HTTP client, one buffer at a time; {@link #stop} and {@link #position}
 * may be called from any thread.
 */
final class PartBody implements BodySubscriber<Long> {
    /** The file could not be written, as opposed to the network. */
    static final class DiskTrouble extends IOException {
        private static final long serialVersionUID = 1L;

        DiskTrouble(IOException cause) {
            super(cause);
        }
    }

    private final Path part;
    private final long from;
    private final long limit;
    private final CompletableFuture<Long> done = new CompletableFuture<>();
    private @Nullable FileChannel channel;
    private Flow.@Nullable Subscription subscription;
    private volatile long position;

    /**
     * @param part file to write to
     * @param from where the body begins; what lies behind is cut off
     * @param limit length that the file must not exceed
     */
    PartBody(Path part, long from, long limit) {
        this.part = part;
        this.from = from;
        this.limit = limit;
        this.position = from;
    }

    /** Length of the file so far. */
    long position() {
        return position;
    }

    /** Whether the body does not begin at the file's first byte. */
    boolean isContinued() {
        return from > 0;
    }

    /** Ends the transfer; the file is not touched after this returns. */
    synchronized void stop() {
        if (subscription != null) {
            subscription.cancel();
        }
        close(new IOException("stopped"));
    }

    @Override
    public CompletionStage<Long> getBody() {
        return done;
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription to) {
        subscription = to;
        if (done.isDone()) {
            to.cancel();
            return;
        }
        try {
            channel = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            channel.truncate(from).position(from);
            to.request(1);
        } catch (IOException e) {
            to.cancel();
            close(new DiskTrouble(e));
        }
    }

    @Override
    public synchronized void onNext(List<ByteBuffer> buffers) {
        if (channel == null || subscription == null || done.isDone()) {
            return;
        }
        try {
            for (ByteBuffer buffer : buffers) {
                long after = position + buffer.remaining();
                if (after > limit) {
                    subscription.cancel();
                    close(new IOException("more than the %d bytes expected".formatted(limit)));
                    return;
                }
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                position = after;
            }
            subscription.request(1);
        } catch (IOException e) {
            subscription.cancel();
            close(new DiskTrouble(e));
        }
    }

    @Override
    public synchronized void onError(Throwable failure) {
        close(failure);
    }

    @Override
    public synchronized void onComplete() {
        close(null);
    }

    private void close(@Nullable Throwable failure) {
        Throwable outcome = failure;
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            outcome = failure == null ? new DiskTrouble(e) : failure;
        }
        if (outcome == null) {
            done.complete(position);
        } else {
            done.completeExceptionally(outcome);
        }
    }
}
