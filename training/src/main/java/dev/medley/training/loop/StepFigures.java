package dev.medley.training.loop;

import dev.medley.exchange.peer.LinkTraffic;
import java.util.List;

/**
 * What one worker saw of one applied step; see {@link dev.medley.net.control.WorkerStep} for the
 * meanings.
 *
 * @param step number
 * @param planVersion of the plan
 * @param loss of the step
 * @param learningRateFactor of the schedule
 * @param gradientNorm or NaN
 * @param weight of all samples
 * @param share samples of this worker
 * @param stepNs whole
 * @param computeNs forward, backward, update
 * @param exchangeNs moving and summing that nothing hid
 * @param waitingNs for peers
 * @param dataNs for the batch
 * @param bytesSent to peers
 * @param bytesReceived from peers
 * @param links what went over the link to each peer
 */
public record StepFigures(
        long step,
        int planVersion,
        double loss,
        double learningRateFactor,
        double gradientNorm,
        double weight,
        int share,
        long stepNs,
        long computeNs,
        long exchangeNs,
        long waitingNs,
        long dataNs,
        long bytesSent,
        long bytesReceived,
        List<LinkTraffic> links) {
    public StepFigures {
        links = List.copyOf(links);
    }
}
