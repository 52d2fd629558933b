package dev.medley.profile.cluster;

import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a cluster as people read it: one row for each machine from which a path leads. */
public final class ClusterTable {
    private static final double NS_PER_MS = 1e6;
    private static final double BITS = 8;
    private static final double MEGA = 1e6;

    /** One way is so much worse than the way back that a note says so. */
    private static final double ASYMMETRIC = 3;

    private ClusterTable() {}

    /** Machines, ways and notes as text, each line with a line feed. */
    public static String text(ClusterProfile cluster) {
        TextTable machines =
                new TextTable()
                        .column("machine", Align.LEFT)
                        .column("site", Align.LEFT)
                        .column("type", Align.LEFT);
        for (Machine machine : cluster.machines()) {
            machines.row(List.of(machine.name(), siteOf(machine), machine.type()));
        }
        TextTable ways = new TextTable().column("from \\ to", Align.LEFT);
        cluster.machines().forEach(machine -> ways.column(machine.name(), Align.RIGHT));
        for (int from = 0; from < cluster.size(); from++) {
            List<String> row = new ArrayList<>(List.of(cluster.machines().get(from).name()));
            for (int to = 0; to < cluster.size(); to++) {
                row.add(from == to ? "" : cell(cluster.way(from, to)));
            }
            ways.row(row);
        }
        StringBuilder text = new StringBuilder(machines.text()).append('\n').append(ways.text());
        notes(cluster).forEach(note -> text.append(note).append('\n'));
        return text.toString();
    }

    /** {@code 20.1 ms 94.1 Mbit/s}, with a mark where it was not measured here. */
    public static String cell(LinkPath way) {
        String mark =
                switch (way.origin()) {
                    case MEASURED -> "";
                    case KEPT -> " ~";
                    case DECLARED -> " !";
                    case ASSUMED -> " ?";
                };
        return String.format(
                Locale.ROOT,
                "%.1f ms %s%s",
                way.latencyNs() / NS_PER_MS,
                bitsPerSecond(way.bytesPerSecond()),
                mark);
    }

    /** What a reader might overlook: marks, and ways that differ from the way back. */
    public static List<String> notes(ClusterProfile cluster) {
        List<String> notes = new ArrayList<>();
        List<Origin> origins = new ArrayList<>();
        for (int from = 0; from < cluster.size(); from++) {
            for (int to = 0; to < cluster.size(); to++) {
                LinkPath there = cluster.way(from, to);
                LinkPath back = cluster.way(to, from);
                origins.add(from == to ? Origin.MEASURED : there.origin());
                boolean isSlower = there.bytesPerSecond() * ASYMMETRIC < back.bytesPerSecond();
                boolean isKnown =
                        there.origin() == Origin.MEASURED && back.origin() == Origin.MEASURED;
                if (from != to && isSlower && isKnown) {
                    notes.add(
                            "%s to %s carries %s, the way back %s: asymmetric"
                                    .formatted(
                                            cluster.machines().get(from).name(),
                                            cluster.machines().get(to).name(),
                                            bitsPerSecond(there.bytesPerSecond()),
                                            bitsPerSecond(back.bytesPerSecond())));
                }
            }
        }
        if (origins.contains(Origin.KEPT)) {
            notes.add("~  bandwidth of another way between the same sites");
        }
        if (origins.contains(Origin.DECLARED)) {
            notes.add("!  declared");
        }
        if (origins.contains(Origin.ASSUMED)) {
            notes.add("?  bandwidth assumed, not measured");
        }
        return notes;
    }

    /** One sentence: how many machines and sites, and the slowest ways. */
    public static String sentence(ClusterProfile cluster) {
        int sites = cluster.sites().size();
        String inside = slowest(cluster, true);
        String between = slowest(cluster, false);
        return "%d machines at %s: %s%s%s"
                .formatted(
                        cluster.size(),
                        sites == 1 ? "one site" : sites + " sites",
                        inside.isEmpty() ? "" : inside + " inside",
                        inside.isEmpty() || between.isEmpty() ? "" : ", ",
                        between.isEmpty() ? "" : between + " between");
    }

    /** {@code 94.1 Mbit/s}. */
    public static String bitsPerSecond(double bytesPerSecond) {
        double megabits = bytesPerSecond * BITS / MEGA;
        return megabits >= 1000
                ? String.format(Locale.ROOT, "%.2f Gbit/s", megabits / 1000)
                : String.format(
                        Locale.ROOT, megabits >= 10 ? "%.0f Mbit/s" : "%.2f Mbit/s", megabits);
    }

    private static String slowest(ClusterProfile cluster, boolean inside) {
        long latencyNs = 0;
        double bytesPerSecond = Double.MAX_VALUE;
        for (int from = 0; from < cluster.size(); from++) {
            for (int to = 0; to < cluster.size(); to++) {
                String here = cluster.machines().get(from).site();
                boolean isInside = here.equals(cluster.machines().get(to).site());
                if (from != to && isInside == inside) {
                    latencyNs = Math.max(latencyNs, cluster.way(from, to).latencyNs());
                    bytesPerSecond =
                            Math.min(bytesPerSecond, cluster.way(from, to).bytesPerSecond());
                }
            }
        }
        return bytesPerSecond == Double.MAX_VALUE
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%.1f ms and %s",
                        latencyNs / NS_PER_MS,
                        bitsPerSecond(bytesPerSecond));
    }

    private static String siteOf(Machine machine) {
        return machine.site().isEmpty() ? "-" : machine.site();
    }
}
