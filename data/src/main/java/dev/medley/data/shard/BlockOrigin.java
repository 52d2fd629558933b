package dev.medley.data.shard;

/** Supplies blocks of a prepared set that are not on this machine yet. */
@FunctionalInterface
public interface BlockOrigin {
    /** Of a set that is all here. */
    BlockOrigin NONE =
            (file, offset, bytes) -> {
                throw new IllegalStateException("nothing is known of where " + file + " is whole");
            };

    /**
     * A stretch of a file of the set.
     *
     * @param file its name in the folder of the set
     * @return exactly {@code bytes} bytes
     * @throws OriginGoneException if they cannot be had, with the reason
     */
    byte[] read(String file, long offset, int bytes);
}
