package dev.medley.serving.http;

import dev.medley.serving.ServingFailure;
import dev.medley.serving.host.ModelEntry;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.traffic.CallerOutcome;
import dev.medley.serving.traffic.TrafficStatus;
import dev.medley.serving.traffic.VersionTraffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Says how a model's traffic is dealt out, and takes what came of its answers. */
final class TrafficService {
    private static final List<String> KEYS = List.of("id", "key", "version", "value", "metric");

    private TrafficService() {}

    /** What is known of the plan in force. */
    static TrafficStatus status(ModelHost host, String name) {
        ModelEntry entry = host.entry(name);
        VersionTraffic traffic = entry.traffic();
        TrafficStatus known = traffic == null ? null : traffic.status();
        if (known != null) {
            return known;
        }
        ServedModel current = entry.current();
        String version = current == null ? entry.version() : current.name().version();
        return new TrafficStatus(
                name,
                "",
                0,
                version,
                traffic == null ? null : traffic.plan(),
                traffic == null ? List.of() : traffic.versions(),
                null,
                null,
                traffic == null ? "version " + version + " answers all requests" : "");
    }

    /** Takes one outcome, or a list of them under {@code outcomes}. */
    static Object report(ModelHost host, String name, JsonNode body) {
        VersionTraffic traffic = host.entry(name).traffic();
        if (traffic == null) {
            throw new ServingFailure(
                    ServingFailure.Kind.CONFLICT,
                    "nothing is asked for: no canary of '%s' runs".formatted(name));
        }
        JsonNode list = body.isArray() ? body : body.path("outcomes");
        List<JsonNode> all = new ArrayList<>();
        if (list.isArray()) {
            list.forEach(all::add);
        } else {
            all.add(body);
        }
        int taken = 0;
        for (JsonNode each : all) {
            try {
                report(traffic, each);
                taken++;
            } catch (ServingFailure e) {
                throw all.size() == 1
                        ? e
                        : new ServingFailure(
                                e.kind(),
                                "outcome %d of %d: %s (those before it were taken)"
                                        .formatted(taken + 1, all.size(), e.sentence()));
            }
        }
        return Map.of("taken", taken);
    }

    private static void report(VersionTraffic traffic, JsonNode each) {
        ServingFailure.check(
                each.isObject(), "an outcome is an object: {\"id\": ..., \"value\": ...}");
        for (String key : each.propertyNames()) {
            ServingFailure.check(
                    KEYS.contains(key), "an outcome has no '%s': there are %s", key, KEYS);
        }
        JsonNode value = each.path("value");
        ServingFailure.check(
                value.isNumber() || value.isBoolean(),
                "\"value\" is to be a number, or true or false");
        String id = text(each, "id");
        String key = text(each, "key");
        String version = text(each, "version");
        ServingFailure.check(
                id != null || key != null || version != null,
                "say of which answer: \"id\" is X-Request-Id of the answer, \"key\" the"
                        + " X-Medley-Key of the request");
        ServingFailure.check(
                version == null || version.matches("\\d{1,9}"),
                "version '%s' is no number of a version",
                version);
        double number = value.isBoolean() ? (value.booleanValue() ? 1 : 0) : value.doubleValue();
        traffic.report(
                text(each, "metric"),
                new CallerOutcome(
                        id, key, version == null ? null : Integer.valueOf(version), number));
    }

    private static @Nullable String text(JsonNode of, String name) {
        JsonNode found = of.path(name);
        if (found.isMissingNode() || found.isNull()) {
            return null;
        }
        ServingFailure.check(
                found.isString() || found.isIntegralNumber(), "\"%s\" is to be a text", name);
        return found.asString();
    }
}
