package dev.medley.data.shard;

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
}
