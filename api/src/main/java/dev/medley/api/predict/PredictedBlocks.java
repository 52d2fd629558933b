package dev.medley.api.predict;

import dev.medley.base.Fault;
import dev.medley.base.Json;
import dev.medley.base.WorkerId;
import dev.medley.base.time.Clock;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.ProtocolException;
import dev.medley.net.membership.View;
import dev.medley.training.prediction.PredictedBlock;
import dev.medley.training.prediction.PredictionBlocks;
import dev.medley.training.prediction.PredictionTask;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Collects blocks as workers predict them, and hands them over in order, each once. What has been
 * handed over is what counts as recorded.
 *
 * <p>Thread: filled by the coordinator's, emptied by the caller's.
 */
final class PredictedBlocks implements RunWatcher {
    private static final Logger LOG = LoggerFactory.getLogger(PredictedBlocks.class);

    private final PredictionBlocks blocks;
    private final Clock clock;
    private final Map<Long, PredictedBlock> waiting = new HashMap<>();
    private long next;
    private @Nullable RuntimeException end;
    private @Nullable View group;
    private long formedNs;
    private int width;

    PredictedBlocks(PredictionBlocks blocks, Clock clock) {
        this.blocks = blocks;
        this.clock = clock;
    }

    /**
     * The outputs of the next block, one row for each sample; null if there are none after so long.
     *
     * @throws RuntimeException that ended the prediction before
     */
    synchronized @Nullable List<float[]> next(long timeoutNs) throws InterruptedException {
        long untilNs = clock.nowNs() + timeoutNs;
        PredictedBlock block = waiting.remove(next);
        while (block == null) {
            if (end != null) {
                throw end;
            }
            long leftNs = untilNs - clock.nowNs();
            if (leftNs <= 0) {
                return null;
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
            block = waiting.remove(next);
        }
        next++;
        return block.values();
    }

    /** The worker that owes the next block, in a group that is so old; null if nobody does. */
    synchronized @Nullable WorkerId owing(long leastNs) {
        View view = group;
        if (view == null || clock.awakeNs() - formedNs < leastNs) {
            return null;
        }
        long step = next / blocks.stepBlocks() + 1;
        for (int rank = 0; rank < view.group().size(); rank++) {
            boolean isTheirs =
                    blocks.from(step, view.plan(), rank) <= next
                            && next < blocks.to(step, view.plan(), rank);
            if (isTheirs) {
                return view.group().members().get(rank).worker();
            }
        }
        return null;
    }

    /** Nothing more comes. */
    synchronized void ended(RuntimeException why) {
        end = why;
        notifyAll();
    }

    @Override
    public synchronized long recorded(long told) {
        return blocks.stepsIn(next);
    }

    @Override
    public synchronized void formed(View view) {
        group = view;
        formedNs = clock.awakeNs();
    }

    @Override
    public void lost(WorkerId worker, Fault fault) {
        LOG.warn("{}", fault.message());
    }

    @Override
    public void warned(String message) {
        LOG.warn("{}", message);
    }

    @Override
    public synchronized void noted(WorkerId worker, String kind, JsonNode value) {
        if (kind.equals(PredictedBlock.KIND)) {
            PredictedBlock block = Json.bindWhole(value, PredictedBlock.class);
            check(block);
            if (block.block() >= next) { // Else another has done it before.
                waiting.putIfAbsent(block.block(), block);
                notifyAll();
            }
        }
    }

    /**
     * All rows of all blocks have as many outputs, and nobody computes far ahead.
     *
     * @throws ProtocolException if a worker says what cannot be
     */
    private void check(PredictedBlock said) {
        long block = said.block();
        long last = blocks.first(blocks.stepsIn(next) + 1 + PredictionTask.MOST_AHEAD + 1);
        ProtocolException.check(
                block >= 0 && block < Math.min(blocks.count(), last),
                "block %d is not asked for",
                block);
        long rows = blocks.firstSample(block + 1) - blocks.firstSample(block);
        int bytes = said.outputs().length;
        boolean isWhole = said.rows() == rows && bytes > 0 && bytes % (rows * Float.BYTES) == 0;
        int outputs = isWhole ? (int) (bytes / (rows * Float.BYTES)) : 0;
        ProtocolException.check(
                isWhole && (width == 0 || width == outputs),
                "block %d has %d rows in %d bytes, not %d rows like those before",
                block,
                said.rows(),
                bytes,
                rows);
        width = outputs;
    }
}
