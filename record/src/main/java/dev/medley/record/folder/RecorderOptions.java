package dev.medley.record.folder;

import static dev.medley.base.ConfigException.check;

/**
 * The bounds of what a run may leave behind.
 *
 * @param stepLines most lines of steps; when there are more, every second one stays
 * @param stepBytes most bytes of those lines
 * @param otherLines most lines of evaluations, and of events; when there are more, every second of
 *     the older ones stays
 * @param otherBytes most bytes of either
 * @param summaryNs between two writings of the summary while the run trains
 * @param leastFreeBytes that the disk must have before a run begins
 */
public record RecorderOptions(
        int stepLines,
        long stepBytes,
        int otherLines,
        long otherBytes,
        long summaryNs,
        long leastFreeBytes) {
    public RecorderOptions {
        check(stepLines >= 4, "stepLines=%d < 4: nothing is left after thinning", stepLines);
        check(stepBytes >= 4096, "stepBytes=%d < 4096: a line may be that long", stepBytes);
        check(otherLines >= 4, "otherLines=%d < 4: nothing is left after thinning", otherLines);
        check(otherBytes >= 4096, "otherBytes=%d < 4096: a line may be that long", otherBytes);
    }

    /** Of steps 20,000 lines or 32 MiB, of others 10,000 or 8; a summary every 5 s, 32 MiB free. */
    public static RecorderOptions defaults() {
        return new RecorderOptions(20_000, 32L << 20, 10_000, 8L << 20, 5_000_000_000L, 32L << 20);
    }
}
