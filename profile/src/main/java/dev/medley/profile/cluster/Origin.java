package dev.medley.profile.cluster;

/** Where a figure comes from; the later a constant stands here, the more it is worth. */
public enum Origin {
    /** Nobody measured it: a guess on the careful side. */
    ASSUMED,
    /** Written in a job or a cluster file. */
    DECLARED,
    /** Measured on a machine or link of the same kind: in an earlier run, or beside this one. */
    KEPT,
    /** Measured in this run. */
    MEASURED
}
