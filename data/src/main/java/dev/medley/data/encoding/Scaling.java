package dev.medley.data.encoding;

/**
 * Scales a number x to {@code z = (x - centre) / scale}. With a clip c it becomes {@code z / sqrt(1
 * + (z / c)^2)}: hardly another number near 0, and never beyond c however far away x lies
 * (Holzmüller, Grinsztajn and Steinwart 2024, "Better by Default").
 *
 * @param centre what is taken off
 * @param scale what is divided by, never 0
 * @param clip the limit of what comes out; 0 for none
 */
public record Scaling(double centre, double scale, double clip) {
    /** Numbers as they are. */
    public static final Scaling NONE = new Scaling(0, 1, 0);

    /** Above, the root is its limit in double precision, and squares may not overflow. */
    private static final double FAR = 1e9;

    /** The number of which {@code scaled} came, but for rounding. */
    public double original(double scaled) {
        double share = clip == 0 ? 0 : scaled / clip;
        return centre + scale * (scaled / Math.sqrt(1 - share * share));
    }

    /** The scaled number; finite where there is a clip. */
    public double of(double x) {
        double z = (x - centre) / scale;
        if (clip == 0) {
            return z;
        }
        double share = z / clip;
        return Math.abs(share) > FAR ? Math.copySign(clip, z) : z / Math.sqrt(1 + share * share);
    }
}
