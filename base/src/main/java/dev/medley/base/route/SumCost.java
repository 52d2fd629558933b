package dev.medley.base.route;

import java.util.EnumSet;
import java.util.Set;

/**
 * What one sum over all ranks takes and moves, at one site or at several, with or without a codec
 * between sites. Between sites the time is that of {@link Choice}. At one site, with the letters
 * used there (docs/exchange.md, "Over TCP"; ALGORITHMS, f):
 *
 * <pre>
 * direct, up to 64 KB   l + (n-1) S/L + 2(n-1) o
 * ring, above           2(n-1)/n S/L + 2(n-1) l + 4o
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
    private static final long DIRECT_BYTES = 64 << 10;
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
        double byteNs = NS_PER_SECOND / figures.insideBytesPerSecond();
        int peers = ranks - 1;
        if (bytes <= DIRECT_BYTES) {
            double ns =
                    figures.insideLatencyNs()
                            + (double) peers * bytes * byteNs
                            + 2 * peers * Choice.MESSAGE_NS;
            return new SumCost(ns, 0, (double) ranks * peers * bytes);
        }
        double ns =
                2.0 * peers / ranks * bytes * byteNs
                        + 2.0 * peers * figures.insideLatencyNs()
                        + 4 * Choice.MESSAGE_NS;
        return new SumCost(ns, 0, 2.0 * peers * bytes);
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
