package dev.medley.api.predict;

import dev.medley.base.ConfigException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Hands over blocks of outputs in the order in which they were begun. */
final class BlocksInOrder {
    private final OwnThreads computer;
    private final Consumer<float[]> consumer;
    private final Deque<Future<List<float[]>>> blocks = new ArrayDeque<>();
    private long done;

    /** Outputs go to {@code consumer}, sample by sample. */
    BlocksInOrder(OwnThreads computer, Consumer<float[]> consumer) {
        this.computer = computer;
        this.consumer = consumer;
    }

    void begin(long from, long to) {
        blocks.add(computer.begin(from, to));
    }

    int underWay() {
        return blocks.size();
    }

    /** Waits for the oldest block and hands it over; returns the samples done. */
    long handOver() {
        List<float[]> outputs = await(blocks.remove());
        outputs.forEach(consumer);
        done += outputs.size();
        return done;
    }

    private static List<float[]> await(Future<List<float[]>> block) {
        try {
            return block.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String what = String.valueOf(cause.getMessage());
            throw cause instanceof ConfigException
                    ? new ConfigException(what, cause)
                    : new IllegalStateException(what, cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while predicting", e);
        }
    }
}
