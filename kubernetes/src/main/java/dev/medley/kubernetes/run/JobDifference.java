package dev.medley.kubernetes.run;

import dev.medley.base.Json;
import dev.medley.base.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Names what differs between two jobs. */
final class JobDifference {
    private static final int MOST = 3;

    private JobDifference() {}

    /** The first differences, in words; empty if there is none. */
    static Optional<String> of(JobSpec before, JobSpec now) {
        List<String> found = new ArrayList<>();
        find("", Json.tree(before), Json.tree(now), found);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        String first = String.join(", ", found.subList(0, Math.min(MOST, found.size())));
        return Optional.of(
                found.size() > MOST
                        ? first + " and %d more".formatted(found.size() - MOST)
                        : first);
    }

    private static void find(String path, JsonNode before, JsonNode now, List<String> found) {
        if (before.isObject() && now.isObject()) {
            TreeSet<String> keys = new TreeSet<>();
            keys.addAll(before.propertyNames());
            keys.addAll(now.propertyNames());
            for (String key : keys) {
                String name = path.isEmpty() ? key : path + "." + key;
                find(name, before.path(key), now.path(key), found);
            }
        } else if (!before.equals(now)) {
            found.add("%s was %s and is %s".formatted(path, said(before), said(now)));
        }
    }

    private static String said(JsonNode value) {
        String text = value.isMissingNode() ? "nothing" : value.toString();
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}
