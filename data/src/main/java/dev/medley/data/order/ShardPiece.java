package dev.medley.data.order;

/**
 * A stretch of a shard's own order: what is left of the shard, or a part of that.
 *
 * @param shard its number
 * @param from first place in the shard's order
 * @param to place after the last
 */
record ShardPiece(int shard, long from, long to) {
    long samples() {
        return to - from;
    }

    /** Its first {@code samples} samples. */
    ShardPiece first(long samples) {
        return new ShardPiece(shard, from, from + samples);
    }

    /** The same without its first {@code samples} samples. */
    ShardPiece without(long samples) {
        return new ShardPiece(shard, from + samples, to);
    }
}
