package dev.medley.record.report;

import dev.medley.base.Json;
import dev.medley.base.text.Units;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.ClusterTable;
import dev.medley.record.entry.LinkTotals;
import dev.medley.record.folder.RunRecord;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Shows the paths between machines, as they were measured, and the bytes that went over them. */
final class LinksSection {
    private LinksSection() {}

    /** Empty for a run on one machine, which has no ways. */
    static String html(RunRecord run) {
        List<LinkTotals> links = run.summary().links();
        if (run.cluster() == null && links.isEmpty()) {
            return "";
        }
        return Html.section("links", "Links", ways(run.cluster()) + bytes(run, links));
    }

    private static String ways(@Nullable JsonNode recorded) {
        ClusterProfile cluster = cluster(recorded);
        if (cluster == null) {
            return Html.empty(
                    recorded == null
                            ? "The ways between machines were not measured."
                            : "cluster.json is not of this version of Medley.");
        }
        StringBuilder html = new StringBuilder();
        begin(html, "from, to");
        cluster.machines().forEach(machine -> head(html, machine.name()));
        head(html, "site");
        html.append("</tr></thead><tbody>");
        for (int from = 0; from < cluster.size(); from++) {
            html.append("<tr><th>").append(Html.text(cluster.machines().get(from).name()));
            html.append("</th>");
            for (int to = 0; to < cluster.size(); to++) {
                cell(html, from == to ? "" : ClusterTable.cell(cluster.way(from, to)));
            }
            cell(html, cluster.machines().get(from).site());
            html.append("</tr>\n");
        }
        html.append("</tbody></table></div>\n<p class=\"note\">One way, half of the shortest round")
                .append(" trip, and what one stream gets through. ");
        ClusterTable.notes(cluster).forEach(note -> html.append(Html.text(note)).append(". "));
        return html.append("</p>\n").toString();
    }

    private static String bytes(RunRecord run, List<LinkTotals> links) {
        if (links.stream().allMatch(link -> link.plainBytes() == 0)) {
            return Html.empty("Nothing went over TCP: the workers share memory.");
        }
        TreeSet<Integer> workers = new TreeSet<>();
        links.forEach(link -> workers.addAll(List.of(link.from(), link.to())));
        StringBuilder html = new StringBuilder();
        begin(html, "sent from, to");
        workers.forEach(worker -> head(html, run.names().of(worker)));
        html.append("</tr></thead><tbody>");
        for (int from : workers) {
            html.append("<tr><th>").append(Html.text(run.names().of(from))).append("</th>");
            workers.forEach(to -> cell(html, sent(links, from, to)));
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div>\n<p class=\"note\">")
                .append(Html.text(run.summary().betweenSites()))
                .append("</p>\n<p class=\"note\">")
                .append(Html.text(run.names().in(run.summary().throughRelays())))
                .append("</p>\n")
                .toString();
    }

    private static String sent(List<LinkTotals> links, int from, int to) {
        return links.stream()
                .filter(link -> link.from() == from && link.to() == to)
                .map(LinksSection::spoken)
                .findFirst()
                .orElse("");
    }

    private static String spoken(LinkTotals link) {
        String sent = Units.bytes((double) link.sentBytes());
        return link.plainBytes() == link.sentBytes()
                ? sent
                : sent + " of " + Units.bytes((double) link.plainBytes());
    }

    private static void begin(StringBuilder html, String corner) {
        html.append("<div class=\"scroll\"><table class=\"numbers\"><thead><tr>");
        head(html, corner);
    }

    private static void head(StringBuilder html, String text) {
        html.append("<th>").append(Html.text(text)).append("</th>");
    }

    private static void cell(StringBuilder html, String text) {
        html.append("<td>").append(Html.text(text)).append("</td>");
    }

    private static @Nullable ClusterProfile cluster(@Nullable JsonNode recorded) {
        try {
            return recorded == null ? null : Json.bind(recorded, ClusterProfile.class);
        } catch (JacksonException | IllegalArgumentException | NullPointerException e) {
            return null;
        }
    }
}
