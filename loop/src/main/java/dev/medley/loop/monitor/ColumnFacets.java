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
    private final Kept kept;
    private long windows;
    private long alarmedAt;
    private String alarm;

    /** To go on from what was kept. */
    ColumnFacets(MonitorOptions options, Kept kept) {
        this.options = options;
        this.kept = kept;
        this.windows = kept.windows;
        this.alarmedAt = kept.alarmedAt;
        this.alarm = kept.alarm;
    }

    /**
     * The state between two windows.
     *
     * @param alarm empty where there was none
     * @param logs of the bets of each facet
     */
    record Kept(long windows, long alarmedAt, String alarm, List<List<Double>> logs) {
        static final Kept NONE = new Kept(0, 0, "", List.of());
    }

    Kept kept() {
        return new Kept(
                windows,
                alarmedAt,
                alarm,
                facets.stream().map(facet -> facet.evidence.logs()).toList());
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

    /** One more facet, in the same order as before. The shares of all sum to 1. */
    Facet facet(String subject, double share, Bets bets) {
        List<Double> logs = windows == 0 ? List.of() : kept.logs.get(facets.size());
        Facet facet =
                new Facet(subject, share, new RankEvidence(bets, options.promise(), logs, windows));
        facets.add(facet);
        return facet;
    }

    /** Ends a window and judges it. */
    Standing end() {
        windows++;
        Facet first = null;
        double log = Double.NEGATIVE_INFINITY;
        for (Facet facet : facets) {
            facet.end();
            double own = facet.log(options.level());
            if (first == null || own > log) {
                first = facet;
                log = own;
            }
        }
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
