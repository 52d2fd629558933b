package dev.medley.record.report;

import dev.medley.base.Json;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.profile.machine.MachineTable;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Shows the machine's figures, each with how sure it is. */
final class MachineHtml {
    private MachineHtml() {}

    static String html(@Nullable JsonNode recorded) {
        MachineProfile machine = machine(recorded);
        if (machine == null) {
            return Html.empty(
                    recorded == null
                            ? "The machine was not measured."
                            : "machine.json is not of this version of Medley.");
        }
        StringBuilder html = new StringBuilder();
        html.append("<div class=\"scroll\"><table><thead><tr><th>")
                .append(Html.text(machine.host()))
                .append("</th><th></th><th>how sure</th><th>how</th></tr></thead><tbody>");
        for (MachineTable.Row row : MachineTable.rows(machine)) {
            html.append("<tr><td>")
                    .append(Html.text(row.name()))
                    .append("</td><td>")
                    .append(Html.text(row.value()))
                    .append("</td><td><span class=\"sure ")
                    .append(row.certainty().name().toLowerCase(Locale.ROOT))
                    .append("\">")
                    .append(Html.text(row.sureness()))
                    .append("</span></td><td>")
                    .append(Html.text(row.how()))
                    .append("</td></tr>\n");
        }
        html.append("</tbody></table></div>\n<p class=\"note\">");
        machine.notes().forEach(note -> html.append(Html.text(note)).append(' '));
        return html.append(Html.text(machine.measured())).append("</p>").toString();
    }

    /** A recorded machine; null where there is none, or one of another version of Medley. */
    static @Nullable MachineProfile machine(@Nullable JsonNode recorded) {
        try {
            return recorded == null ? null : Json.bind(recorded, MachineProfile.class);
        } catch (JacksonException | IllegalArgumentException | NullPointerException e) {
            return null;
        }
    }
}
