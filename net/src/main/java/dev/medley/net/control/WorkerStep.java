package dev.medley.net.control;

import dev.medley.base.NoiseSample;
import org.jspecify.annotations.Nullable;

/**
 * An applied step as one worker saw it.
 *
 * @param step number in the run, from 1
 * @param planVersion the plan that cut it
 * @param loss mean over all samples of the step, the same on every worker
 * @param learningRate that was applied
 * @param gradientNorm norm of the mean gradient before clipping; NaN where it was not computed
 * @param samples of the step over all workers
 * @param share samples of this worker
 * @param wallMillis when it was applied
 * @param stepNs from its beginning to its end
 * @param computeNs of it in forward, backward and update
 * @param exchangeNs of it in moving and summing buckets that no computing hid
 * @param waitingNs of it in waiting for other workers
 * @param dataNs of it in waiting for the batch
 * @param residentBytes of the process
 * @param bytesSent to other processes
 * @param bytesReceived from other processes
 * @param noise of the gradient; null where it was not measured
 */
public record WorkerStep(
        long step,
        int planVersion,
        double loss,
        double learningRate,
        double gradientNorm,
        long samples,
        int share,
        long wallMillis,
        long stepNs,
        long computeNs,
        long exchangeNs,
        long waitingNs,
        long dataNs,
        long residentBytes,
        long bytesSent,
        long bytesReceived,
        @Nullable NoiseSample noise) {
    public WorkerStep {
        Bounds.stepNumber("step", step, 1);
        Bounds.amount("samples", samples);
        Bounds.atLeast("share", share, 0);
        Bounds.difference("wallMillis", wallMillis);
        Bounds.amount("stepNs", stepNs);
        Bounds.difference("computeNs", computeNs); // What is left of a step: it may be below 0.
        Bounds.amount("exchangeNs", exchangeNs);
        Bounds.amount("waitingNs", waitingNs);
        Bounds.amount("dataNs", dataNs);
        Bounds.amount("residentBytes", residentBytes);
        Bounds.amount("bytesSent", bytesSent);
        Bounds.amount("bytesReceived", bytesReceived);
    }
}
