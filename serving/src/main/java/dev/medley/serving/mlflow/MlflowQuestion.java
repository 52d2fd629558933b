package dev.medley.serving.mlflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The parts of a question, from the query of its address or from its body.
 *
 * @param query values by name
 * @param body an object; empty for a question without one
 */
record MlflowQuestion(Map<String, List<String>> query, JsonNode body) {
    /** A text that has to be there. */
    String text(String name) {
        String found = textOrNull(name);
        if (found == null || found.isEmpty()) {
            throw MlflowFailure.invalid(
                    "Missing value for required parameter '%s'".formatted(name));
        }
        return found;
    }

    @Nullable String textOrNull(String name) {
        List<String> given = query.get(name);
        if (given != null && !given.isEmpty()) {
            return given.get(0);
        }
        return body.has(name) ? body.path(name).asString("") : null;
    }

    /** Texts; none where nothing is said. */
    List<String> texts(String name) {
        List<String> all = new ArrayList<>(query.getOrDefault(name, List.of()));
        body.path(name).forEach(each -> all.add(each.asString("")));
        return all;
    }

    /** The part of a whole list that is asked for, under its name, and how to ask for the rest. */
    Map<String, Object> page(String name, List<?> all, int usual) {
        int from = number("page_token", 0);
        int most = Math.min(50_000, number("max_results", usual));
        if (from < 0 || most < 1) {
            throw MlflowFailure.invalid("page_token and max_results are numbers above 0");
        }
        int begin = Math.min(from, all.size());
        int end = (int) Math.min(all.size(), (long) begin + most);
        List<?> part = List.copyOf(all.subList(begin, end));
        return end == all.size()
                ? Map.of(name, part)
                : Map.of(name, part, "next_page_token", "" + end);
    }

    private int number(String name, int absent) {
        String given = textOrNull(name);
        try {
            return given == null || given.isEmpty() ? absent : Integer.parseInt(given);
        } catch (NumberFormatException e) {
            throw MlflowFailure.invalid("%s='%s' is no number".formatted(name, given));
        }
    }
}
