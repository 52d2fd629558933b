package dev.medley.base.route;

import java.util.EnumSet;
import java.util.Set;

/**
 * Lists the schemes that may sum a slice between machines of one site. All but a tree add in the
 * same order, so that any choice between them gives the same bits; a tree is for callers that
 * record the figures by which it was chosen.
 */
public final class SiteSchemes {
    /** Slices up to this length may go from everyone to everyone, unless options say otherwise. */
    public static final int MOST_DIRECT_BYTES = 64 << 10;

    /** Longer slices go round a ring, where a second thread sends. */
    private static final long MOST_POOLED_BYTES = 4L << 20;

    private SiteSchemes() {}

    /**
     * The schemes of equal bits for a slice. A ring of three or more waits for each rank in turn,
     * and one may be late because its processor is busy: it is for long slices alone.
     *
     * @param bytes of the slice
     * @param directBytes longer slices go neither from everyone to everyone nor by a tree
     */
    public static Set<Scheme> of(long bytes, int ranks, long directBytes) {
        EnumSet<Scheme> allowed =
                EnumSet.of(ranks > 2 && bytes <= MOST_POOLED_BYTES ? Scheme.SHARES : Scheme.RING);
        if (bytes <= directBytes) {
            allowed.add(Scheme.DIRECT);
        }
        return allowed;
    }

    /** The same and a tree, for slices that are short enough for it. */
    public static Set<Scheme> withTree(long bytes, int ranks, long directBytes) {
        Set<Scheme> allowed = of(bytes, ranks, directBytes);
        if (bytes <= directBytes) {
            allowed.add(Scheme.TREE);
        }
        return allowed;
    }
}
