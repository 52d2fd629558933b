package dev.medley.training.loop;

import dev.medley.base.NoiseSample;
import dev.medley.exchange.peer.LinkTraffic;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one applied step as one worker saw it; see {@link
 * dev.medley.net.control.WorkerStep} for their meanings.
 *
 * @param step number
 * @param planVersion of the plan
 * @param loss of the step
 * @param learningRateFactor of the schedule
 * @param gradientNorm or NaN
 * @param weight of all samples
 * @param samples of this worker, and of all
 * @param stepNs whole
 * @param computeNs forward, backward, update
 * @param exchangeNs moving and summing that nothing hid
 * @param waitingNs for peers
 * @param dataNs for the batch
 * @param bytesSent to peers
 * @param bytesReceived from peers
 * @param links what went over the link to each peer
 * @param noise of the gradient, in units of weight; null where it was not measured
 */
public record StepFigures(
        long step,
        int planVersion,
        double loss,
        double learningRateFactor,
        double gradientNorm,
        double weight,
        Samples samples,
        long stepNs,
        long computeNs,
        long exchangeNs,
        long waitingNs,
        long dataNs,
        long bytesSent,
        long bytesReceived,
        List<LinkTraffic> links,
        @Nullable NoiseSample noise) {
    /**
     * Samples that a step took.
     *
     * @param own of this worker
     * @param all of all workers
     */
    public record Samples(int own, long all) {}

    public StepFigures {
        links = List.copyOf(links);
    }
}
