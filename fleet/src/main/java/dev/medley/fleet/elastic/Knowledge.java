package dev.medley.fleet.elastic;

/** Lists how much a policy knows of a job's speed before it has run. All know its epochs. */
public enum Knowledge {
    /** What this job has measured: step times of what it tried, gradient noise of now. */
    OWN,
    /** What jobs of the same model have measured until now, this one's noise as soon as it has. */
    KIND,
    /** All step times of packed workers, and the gradient noise of now. */
    FULL
}
