package dev.medley.profile.cluster;

/** The origin of a figure; the later a constant stands here, the more its figures count. */
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
