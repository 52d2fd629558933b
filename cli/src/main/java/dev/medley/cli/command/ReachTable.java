package dev.medley.cli.command;

import dev.medley.api.run.ClusterSurvey.Found;
import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Shows which machines reach each other, why others do not, and what to do about it. */
final class ReachTable {
    private ReachTable() {}

    static String text(Found found) {
        TextTable table = new TextTable().column("from \\ to", Align.LEFT);
        found.machines().forEach(machine -> table.column(machine, Align.RIGHT));
        Set<String> reasons = new LinkedHashSet<>();
        Set<String> remedies = new LinkedHashSet<>();
        for (int from = 0; from < found.machines().size(); from++) {
            List<String> row = new ArrayList<>(List.of(found.machines().get(from)));
            for (int to = 0; to < found.machines().size(); to++) {
                String why = found.reached().get(from).get(to);
                row.add(from == to ? "" : why.isEmpty() ? way(found, from, to) : "NO");
                if (!why.isEmpty()) {
                    reasons.add("from %s: %s".formatted(found.machines().get(from), why));
                    remedies.add(remedy(why));
                }
            }
            table.row(row);
        }
        StringBuilder text = new StringBuilder(table.text());
        reasons.forEach(reason -> text.append(reason).append('\n'));
        remedies.forEach(remedy -> text.append(remedy).append('\n'));
        return text.toString();
    }

    private static String way(Found found, int from, int to) {
        String relay = found.through().get(from).get(to);
        return relay.isEmpty() ? "yes" : "through " + relay;
    }

    /** By the words that the system and TLS use; what is not known gets the general advice. */
    static String remedy(String why) {
        String said = why.toLowerCase(Locale.ROOT);
        if (said.contains("timed out") || said.contains("no answer")) {
            return "Timed out: a firewall drops it, or the address is not routed. Open the ports"
                    + " (medley agent --ports 7100-7110 keeps to few), or name an address that"
                    + " others reach (--advertise, --interface).";
        }
        if (said.contains("behind nat")) {
            return "Two machines behind NAT reach each other only through a third that both can"
                    + " dial: add one, or forward ports to one of them (medley agent --ports,"
                    + " --advertise).";
        }
        if (said.contains("refused:") || said.contains("connection refused")) {
            return "Refused: nothing of this run listens at that address. Is --advertise the"
                    + " address of that machine, and are its ports forwarded?";
        }
        if (said.contains("unreachable")
                || said.contains("invalid argument")
                || said.contains("no route")
                || said.contains("unresolved")) {
            return "No way there: the address is of another network. Name one that others reach"
                    + " (--advertise, --interface).";
        }
        if (said.contains("tls") || said.contains("certificate")) {
            return "TLS failed: give all machines certificates of one authority (medley certs).";
        }
        return "See the agents' logs for more.";
    }
}
