package dev.medley.kubernetes.run;

import dev.medley.kubernetes.resource.ProgressStatus;

/** Takes what a coordinator says of its run. */
@FunctionalInterface
public interface ProgressSink {
    /** Says it; may take its time, and may fail. */
    void tell(ProgressStatus progress);
}
