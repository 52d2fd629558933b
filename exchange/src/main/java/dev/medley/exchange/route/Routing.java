package dev.medley.exchange.route;

import dev.medley.base.route.Choice;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import dev.medley.base.route.SiteSchemes;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The figures and schemes by which a group chooses a path for each slice. All ranks have the same,
 * so all choose alike.
 *
 * @param sites the ranks at each site
 * @param figures of the links
 * @param schemes that may be chosen; at one site those that suit a slice's length
 * @param ring the order of a ring through them
 * @param directBytes at one site longer slices go neither from everyone to everyone nor by a tree
 */
public record Routing(
        SiteMap sites, LinkFigures figures, Set<Scheme> schemes, RingOrder ring, int directBytes) {
    private static final long LARGEST_BYTES = 1L << 40;

    public Routing {
        schemes = Set.copyOf(schemes);
    }

    /** With a ring in the usual order, and the usual length of what goes to everyone. */
    public Routing(SiteMap sites, LinkFigures figures, Set<Scheme> schemes) {
        this(sites, figures, schemes, RingOrder.bySite(sites), SiteSchemes.MOST_DIRECT_BYTES);
    }

    /** Whether there are sites to tell apart. */
    public boolean hasSeveralSites() {
        return sites.sites() > 1;
    }

    /** Whether slices may be cut into cells that owners add. */
    public boolean hasCells() {
        return hasSeveralSites() || schemes.contains(Scheme.SHARES);
    }

    /** The scheme for a slice. */
    public Choice choose(long bytes) {
        return Choice.of(bytes, sites, figures, hasSeveralSites() ? schemes : atOneSite(bytes));
    }

    private Set<Scheme> atOneSite(long bytes) {
        EnumSet<Scheme> allowed =
                EnumSet.copyOf(
                        schemes.contains(Scheme.TREE)
                                ? SiteSchemes.withTree(bytes, sites.size(), directBytes)
                                : SiteSchemes.of(bytes, sites.size(), directBytes));
        allowed.retainAll(schemes);
        return allowed.isEmpty() ? Set.of(Scheme.RING) : allowed;
    }

    /**
     * The scheme for a slice that goes through a codec. A codec rounds where a scheme crosses a
     * border, so the bits of the sum follow from the scheme, which therefore follows from the group
     * alone and not from measured figures. A ring codes nothing: it is left out if it can be.
     */
    public Choice chooseForCodec(long bytes) {
        EnumSet<Scheme> coding = EnumSet.copyOf(schemes);
        coding.remove(Scheme.RING);
        return Choice.of(bytes, sites, LinkFigures.assumed(), coding.isEmpty() ? schemes : coding);
    }

    /** For the user, to follow the number of processes; empty with one site. */
    public String description() {
        if (!hasSeveralSites()) {
            return "";
        }
        StringBuilder text = new StringBuilder(" in %d sites: ".formatted(sites.sites()));
        Scheme small = choose(1).scheme();
        EnumSet<Scheme> said = EnumSet.of(small);
        String smaller = small.words();
        for (long bytes = 1024; bytes <= LARGEST_BYTES; bytes *= 2) {
            Scheme scheme = choose(bytes).scheme();
            if (said.add(scheme)) {
                text.append("%s from %s, ".formatted(scheme.words(), name(bytes)));
            }
        }
        text.append(said.size() == 1 ? smaller : smaller + " below");
        return text.append(" (").append(figuresBetween()).append(')').toString();
    }

    private String figuresBetween() {
        return String.format(
                Locale.ROOT,
                "%.1f ms between sites, %s, and %.1f MB/s, %s",
                figures.betweenLatencyNs() / 1e6,
                figures.latencies().name().toLowerCase(Locale.ROOT),
                figures.betweenBytesPerSecond() / 1e6,
                figures.bandwidths().name().toLowerCase(Locale.ROOT));
    }

    private static String name(long bytes) {
        return bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
    }
}
