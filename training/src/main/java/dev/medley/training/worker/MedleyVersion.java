package dev.medley.training.worker;

/** The version of Medley that this process runs. */
public final class MedleyVersion {
    /** As in the build; all processes of a run have the same. */
    public static final String VERSION = "0.1.0-SNAPSHOT";

    private MedleyVersion() {}
}
