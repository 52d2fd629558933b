package dev.medley.base.route;

import java.util.EnumSet;
import java.util.Set;

/**
 * What one sum over all ranks takes and moves, at one site or at several, with or without a codec
 * between sites. Between sites the time is that of {@link Choice}. At one site, with the letters
 * used there (docs/exchange.md, "Over TCP"; ALGORITHMS, f):
 *
 * <pre>
 * shares, up to 4 MB, from three ranks on   2(n-1)/n S/L + 2l + 4(n-1) o
 * ring, else                                2(n-1)/n S/L + 2(n-1) l + 4o
 * </pre>
 *
 * A codec that leaves a part r of the bytes makes the border 1/r as wide, and its scheme is chosen
 * by assumed figures, as the exchange does, so that sums repeat.
 *
 * @param ns until all ranks have the sum
 * @param betweenBytes that leave sites for others, all sites together
 * @param insideBytes that go from rank to rank of one site, all sites together
 */
public record SumCost(double ns, double betweenBytes, double insideBytes) {
    private static final SumCost NOTHING = new SumCost(0, 0, 0);
    private static final long MOST_SHARED_BYTES = 4 << 20;
    private static final double NS_PER_SECOND = 1e9;
    private static final Set<Scheme> BETWEEN_SITES = EnumSet.of(Scheme.LEADERS, Scheme.SHARES);

    /**
     * The cost of a slice.
     *
     * @param bytes of the slice, as it lies in memory
     * @param codedPart what a codec leaves of what crosses a border, above 0; 1 without a codec
     */
    public static SumCost of(long bytes, double codedPart, SiteMap sites, LinkFigures figures) {
        if (sites.size() == 1) {
            return NOTHING;
        }
        return sites.sites() == 1
                ? atOneSite(bytes, sites.size(), figures)
                : between(bytes, codedPart, sites, figures);
    }

    private static SumCost atOneSite(long bytes, int ranks, LinkFigures figures) {
        int peers = ranks - 1;
        boolean isShared = ranks > 2 && bytes <= MOST_SHARED_BYTES;
        double movingNs =
                2.0 * peers / ranks * bytes * NS_PER_SECOND / figures.insideBytesPerSecond();
        double messagesNs =
                isShared
                        ? 2.0 * figures.insideLatencyNs() + 4 * peers * Choice.MESSAGE_NS
                        : 2.0 * peers * figures.insideLatencyNs() + 4 * Choice.MESSAGE_NS;
        return new SumCost(movingNs + messagesNs, 0, 2.0 * peers * bytes);
    }

    private static SumCost between(
            long bytes, double codedPart, SiteMap sites, LinkFigures figures) {
        LinkFigures chosenBy = codedPart < 1 ? LinkFigures.assumed() : figures;
        Scheme scheme = Choice.of(bytes, sites, chosenBy, BETWEEN_SITES).scheme();
        LinkFigures border =
                figures.betweenAt(
                        Math.max(1, (long) (figures.betweenBytesPerSecond() / codedPart)));
        int others = sites.sites() - 1;
        double crossing =
                scheme == Scheme.LEADERS
                        ? (double) sites.sites() * others * bytes
                        : 2.0 * others * bytes;
        double inside = 2.0 * (sites.size() - sites.sites()) * bytes;
        return new SumCost(
                Choice.costNs(scheme, bytes, sites, border), crossing * codedPart, inside);
    }
}
