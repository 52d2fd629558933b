package dev.medley.data.shard;

import java.util.List;

/** Receives the progress of a preparation of data, on the thread that prepares. */
@FunctionalInterface
public interface PreparationProgress {
    /** Tells nobody. */
    PreparationProgress NONE = (phase, done, total) -> {};

    /**
     * Work goes on.
     *
     * @param phase what is being done, for people: "reading train.csv"
     * @param done units of it
     * @param total units in all; 0 if that is not known yet
     */
    void at(String phase, long done, long total);

    /**
     * The classes of the label are known; nothing has been fitted or written yet.
     *
     * @param classes in the order of their indices; none where numbers are predicted
     * @throws dev.medley.base.ConfigException if the job does not go with them
     */
    default void classes(List<String> classes) {}
}
