package dev.medley.base.route;

import java.util.EnumSet;
import java.util.Set;

/**
 * The time that one sum over all ranks takes and the bytes that it moves. The ranks stand at one
 * site or at several, with or without a codec between sites. The time is that of {@link Choice}, of
 * the schemes that the exchange would choose from: between sites leaders and shares, at one site
 * what {@link SiteSchemes} allows.
 *
 * <p>A codec that leaves a part r of the bytes makes the border 1/r as wide, and its scheme is
 * chosen by assumed figures, as the exchange does, so that sums repeat.
 *
 * @param ns until all ranks have the sum
 * @param betweenBytes that leave sites for others, all sites together
 * @param insideBytes that go from rank to rank of one site, all sites together
 */
public record SumCost(double ns, double betweenBytes, double insideBytes) {
    private static final SumCost NOTHING = new SumCost(0, 0, 0);
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
                ? atOneSite(bytes, sites, figures)
                : between(bytes, codedPart, sites, figures);
    }

    private static SumCost atOneSite(long bytes, SiteMap sites, LinkFigures figures) {
        int ranks = sites.size();
        Choice choice =
                Choice.of(
                        bytes,
                        sites,
                        figures,
                        SiteSchemes.of(bytes, ranks, SiteSchemes.MOST_DIRECT_BYTES));
        double sent =
                choice.scheme() == Scheme.DIRECT
                        ? (double) ranks * (ranks - 1) * bytes
                        : 2.0 * (ranks - 1) * bytes;
        return new SumCost(Choice.costNs(choice.scheme(), bytes, sites, figures), 0, sent);
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
