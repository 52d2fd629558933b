package dev.medley.loop.stage;

/**
 * Says what time's knowledge a run works with.
 *
 * @param asOfMs milliseconds since 1970
 */
public record Known(long asOfMs) {
    /** What the stage that fixes it is called. */
    public static final String NAME = "known";
}
