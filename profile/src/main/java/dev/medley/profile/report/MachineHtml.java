package dev.medley.profile.report;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The machine's figures, each with how sure it is. */
final class MachineHtml {
    private MachineHtml() {}

    static String html(@Nullable JsonNode machine) {
        return Html.empty("The machine was not measured.");
    }
}
