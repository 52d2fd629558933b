package dev.medley.record.report;

import dev.medley.base.text.Units;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Shows the resolved job, what was found in the data, and the machine. */
final class SettingsSection {
    private SettingsSection() {}

    static String html(RunRecord run) {
        return Html.section("job", "Job", job(run.folder().jobFile()))
                + Html.section(
                        "data",
                        "Data",
                        groups(run.data(), "What was found in the data was not recorded."))
                + Html.section("machine", "Machine", MachineHtml.html(run.machine()));
    }

    /** As its user would write it. */
    private static String job(Path file) {
        try {
            return Files.exists(file)
                    ? "<pre class=\"job\">" + Html.text(Files.readString(file)) + "</pre>"
                    : Html.empty("The run ended before its job was written.");
        } catch (IOException e) {
            return Html.empty("The job cannot be read: " + e.getMessage());
        }
    }

    /** One list per top-level part; the scalars at the top come first. */
    private static String groups(@Nullable JsonNode tree, String whyEmpty) {
        Map<String, Map<String, String>> groups = new LinkedHashMap<>();
        groups.put("", new LinkedHashMap<>());
        JobText.settings(tree)
                .forEach(
                        (path, value) -> {
                            int dot = path.indexOf('.');
                            String group = dot < 0 ? "" : path.substring(0, dot);
                            groups.computeIfAbsent(group, name -> new LinkedHashMap<>())
                                    .put(path.substring(dot + 1), value);
                        });
        groups.values().removeIf(Map::isEmpty);
        if (groups.isEmpty()) {
            return Html.empty(whyEmpty);
        }
        StringBuilder html = new StringBuilder("<div class=\"settings");
        html.append(groups.size() == 1 ? " single\">" : "\">");
        groups.forEach((name, settings) -> group(html, name, settings));
        return html.append("</div>").toString();
    }

    private static void group(StringBuilder html, String name, Map<String, String> settings) {
        html.append("<div><h3>").append(Html.text(name.isEmpty() ? "general" : name));
        html.append("</h3><dl>");
        settings.forEach(
                (key, value) ->
                        html.append("<dt>")
                                .append(Html.text(key))
                                .append("</dt><dd>")
                                .append(Html.text(spoken(key, value)))
                                .append("</dd>"));
        html.append("</dl></div>\n");
    }

    /** Nanoseconds and bytes in the unit that fits; long lists cut. */
    static String spoken(String key, String value) {
        boolean isCount = value.matches("[1-9]\\d{0,17}");
        if (isCount && key.endsWith("Ns")) {
            return Units.duration(Double.parseDouble(value));
        }
        if (isCount && key.endsWith("Bytes")) {
            return Units.bytes(Double.parseDouble(value));
        }
        return value.length() > 400 ? value.substring(0, 400) + "…" : value;
    }
}
