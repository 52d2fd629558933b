package dev.medley.loop.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Judges the facets of one column, such as its values and its missing ones. Each has a share of the
 * level, so that all together keep it.
 */
final class ColumnFacets {
    private final MonitorOptions options;
    private final List<Facet> facets = new ArrayList<>();
    private long windows;
    private long alarmedAt;
    private String alarm = "";

    ColumnFacets(MonitorOptions options) {
        this.options = options;
    }

    /** One of the facets, with the ranks of the window that is being read. */
    static final class Facet {
        private final String subject;
        private final double share;
        private final RankEvidence evidence;
        private int[] counts = new int[RankCells.count()];

        private Facet(String subject, double share, RankEvidence evidence) {
            this.subject = subject;
            this.share = share;
            this.evidence = evidence;
        }

        void rank(double rank) {
            counts[RankCells.of(rank)]++;
        }

        private void end() {
            evidence.add(counts);
            counts = new int[RankCells.count()];
        }

        /** As a share of what an alarm needs, as a logarithm. */
        private double log(double level) {
            return evidence.log() + Math.log(level * share);
        }
    }

    /** One more facet, before the first window. The shares of all sum to 1. */
    Facet facet(String subject, double share, Bets bets) {
        Facet facet = new Facet(subject, share, new RankEvidence(bets, options.promise()));
        facets.add(facet);
        return facet;
    }

    /** Ends a window and judges it. */
    Standing end() {
        windows++;
        Facet first = null;
        for (Facet facet : facets) {
            facet.end();
            if (first == null || facet.log(options.level()) > first.log(options.level())) {
                first = facet;
            }
        }
        double log = first == null ? Double.NEGATIVE_INFINITY : first.log(options.level());
        if (alarmedAt == 0 && log >= 0) {
            alarmedAt = windows;
            alarm = said(first);
        }
        double evidence = Math.exp(Math.min(log, 700));
        String why =
                alarmedAt > 0
                        ? String.format(Locale.ROOT, "%s (window %d)", alarm, alarmedAt)
                        : String.format(
                                Locale.ROOT,
                                "no alarm after %d windows: the evidence is %.2g of what one needs",
                                windows,
                                evidence);
        return new Standing(windows, evidence, alarmedAt, why);
    }

    private static String said(@Nullable Facet facet) {
        return facet == null ? "" : facet.subject + facet.evidence.saying();
    }
}
