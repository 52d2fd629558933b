package dev.medley.base.route;

import java.util.Comparator;
import java.util.Locale;
import java.util.Set;

/**
 * The cheapest scheme to sum a slice, by a model of its cost. The model is the two-level one of
 * hierarchical collectives (docs/exchange.md, "Between sites"), with the border of a site as one
 * link that its ranks share, and with streams that do not wait for the end of a phase. For S bytes,
 * n ranks, C sites, m ranks at the largest; l and L latency and bytes per second inside, k and K
 * between sites; o for handling a message:
 *
 * <pre>
 * RING     max(2(n-1)/n S/K, 2(n-1)/n S/L) + min(2C, 2(n-1)) k + the other hops of 2(n-1) l + 4o
 * LEADERS  (C-1) S/K + k + 2 (l + (m-1) S/L) + (2(m-1) + 2(C-1)) o
 * SHARES   max(2(C-1)/C S/K, 2((m-1) + (C-1)/C)/m S/L) + min(C-1, 2) k + 2l + (4(m-1) + 2(C-1)) o
 * </pre>
 *
 * With one site K and k do not count: SHARES then is a ring's reduce-scatter and all-gather in two
 * messages one behind the other instead of 2(n-1). LEADERS saves one crossing of the wide link
 * where there are more than two sites; SHARES saves bytes.
 *
 * <p>Inside one site two more schemes serve slices whose messages cost more than their bytes. With
 * h the hops of recursive doubling, log2 n for a power of two, else two more than that of the next
 * lower one (Thakur, Rabenseifner, Gropp 2005, Optimization of collective communication operations
 * in MPICH, section 4):
 *
 * <pre>
 * DIRECT   l + (n-1) S/L + 2(n-1) o
 * TREE     h (l + S/L + 2o)
 * </pre>
 *
 * DIRECT waits once but has n-1 messages to send and as many to take; TREE has h of each and waits
 * h times. So a tree is for many ranks near each other, up to where SHARES moves fewer bytes.
 *
 * @param scheme the cheapest of those allowed
 * @param bytes of the slice
 * @param expectedNs by the model
 * @param figures that it rests on
 */
public record Choice(Scheme scheme, long bytes, long expectedNs, LinkFigures figures) {
    /** What a process spends on one message; measured on loopback, where it is 10 to 30 us. */
    public static final double MESSAGE_NS = 20_000;

    private static final double ENDLESS = Double.POSITIVE_INFINITY;
    private static final double NS_PER_SECOND = 1e9;
    private static final double NS_PER_MS = 1e6;

    /** The cheapest of some schemes for a slice; the order of {@link Scheme} breaks ties. */
    public static Choice of(long bytes, SiteMap sites, LinkFigures figures, Set<Scheme> allowed) {
        return allowed.stream()
                .sorted()
                .map(
                        each ->
                                new Choice(
                                        each,
                                        bytes,
                                        (long) costNs(each, bytes, sites, figures),
                                        figures))
                .min(Comparator.comparingLong(Choice::expectedNs))
                .orElseThrow(() -> new IllegalArgumentException("no scheme is allowed"));
    }

    /** One sentence for the log. */
    public String why() {
        return isOfOneSite() ? whyAtOneSite() : whyBetweenSites();
    }

    private boolean isOfOneSite() {
        return scheme == Scheme.DIRECT || scheme == Scheme.TREE;
    }

    private String whyAtOneSite() {
        return String.format(
                Locale.ROOT,
                "%d bytes %s: about %.2f ms with %.2f ms (%s) and %.1f MB/s (%s) between ranks",
                bytes,
                scheme.words(),
                expectedNs / NS_PER_MS,
                figures.insideLatencyNs() / NS_PER_MS,
                figures.latencies().name().toLowerCase(Locale.ROOT),
                figures.insideBytesPerSecond() / 1e6,
                figures.bandwidths().name().toLowerCase(Locale.ROOT));
    }

    private String whyBetweenSites() {
        return String.format(
                Locale.ROOT,
                "%d bytes %s: about %.1f ms with %.1f ms (%s) and %.1f MB/s (%s) between sites",
                bytes,
                scheme.words(),
                expectedNs / NS_PER_MS,
                figures.betweenLatencyNs() / NS_PER_MS,
                figures.latencies().name().toLowerCase(Locale.ROOT),
                figures.betweenBytesPerSecond() / 1e6,
                figures.bandwidths().name().toLowerCase(Locale.ROOT));
    }

    /**
     * What a scheme costs by the model, in nanoseconds; endless for one that is for one site alone
     * where there are several.
     */
    public static double costNs(Scheme scheme, long bytes, SiteMap sites, LinkFigures figures) {
        return switch (scheme) {
            case RING -> ringNs(bytes, sites, figures);
            case LEADERS -> leadersNs(bytes, sites, figures);
            case SHARES -> sharesNs(bytes, sites, figures);
            case DIRECT -> sites.sites() > 1 ? ENDLESS : directNs(bytes, sites.size(), figures);
            case TREE -> sites.sites() > 1 ? ENDLESS : treeNs(bytes, sites.size(), figures);
        };
    }

    private static double ringNs(long bytes, SiteMap sites, LinkFigures figures) {
        int ranks = sites.size();
        int hops = 2 * (ranks - 1);
        int crossings = sites.sites() == 1 ? 0 : Math.min(2 * sites.sites(), hops);
        double sent = 2.0 * (ranks - 1) / ranks * bytes;
        double crossing = crossings == 0 ? 0 : sent;
        return Math.max(betweenNs(crossing, figures), insideNs(sent, figures))
                + crossings * (double) figures.betweenLatencyNs()
                + (hops - crossings) * (double) figures.insideLatencyNs()
                + 4 * MESSAGE_NS;
    }

    private static double leadersNs(long bytes, SiteMap sites, LinkFigures figures) {
        int mates = sites.mostAtOneSite() - 1;
        int others = sites.sites() - 1;
        double inside =
                mates == 0
                        ? 0
                        : figures.insideLatencyNs() + insideNs((double) mates * bytes, figures);
        return betweenNs((double) others * bytes, figures)
                + figures.betweenLatencyNs()
                + 2 * inside
                + (2 * mates + 2 * others) * MESSAGE_NS;
    }

    private static double sharesNs(long bytes, SiteMap sites, LinkFigures figures) {
        int most = sites.mostAtOneSite();
        int others = sites.sites() - 1;
        double crossing = 2.0 * others / sites.sites();
        double ofOneRank = 0;
        for (int site = 0; site < sites.sites(); site++) {
            int ranks = sites.at(site).size();
            ofOneRank = Math.max(ofOneRank, (2.0 * (ranks - 1) + crossing) / ranks);
        }
        double moving =
                Math.max(
                        betweenNs(crossing * bytes, figures), insideNs(ofOneRank * bytes, figures));
        return moving
                + Math.min(others, 2) * (double) figures.betweenLatencyNs()
                + (most == 1 ? 0 : 2) * (double) figures.insideLatencyNs()
                + (4 * (most - 1) + 2 * others) * MESSAGE_NS;
    }

    private static double directNs(long bytes, int ranks, LinkFigures figures) {
        int peers = ranks - 1;
        return figures.insideLatencyNs()
                + insideNs((double) peers * bytes, figures)
                + 2 * peers * MESSAGE_NS;
    }

    private static double treeNs(long bytes, int ranks, LinkFigures figures) {
        double hopNs = figures.insideLatencyNs() + insideNs(bytes, figures) + 2 * MESSAGE_NS;
        return TreeHop.inRow(ranks) * hopNs;
    }

    private static double insideNs(double bytes, LinkFigures figures) {
        return bytes / figures.insideBytesPerSecond() * NS_PER_SECOND;
    }

    private static double betweenNs(double bytes, LinkFigures figures) {
        return bytes / figures.betweenBytesPerSecond() * NS_PER_SECOND;
    }
}
