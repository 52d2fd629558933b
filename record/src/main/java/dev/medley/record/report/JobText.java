package dev.medley.record.report;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes a resolved job as names and values, {@code train.optimizer.learningRate} and {@code
 * 0.001}.
 */
final class JobText {
    private JobText() {}

    /** All settings in order of the file; what is null or empty is left out. */
    static Map<String, String> settings(@Nullable JsonNode job) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (job != null) {
            flatten("", job, settings);
        }
        return settings;
    }

    /** The first metric's target; null for none. */
    static @Nullable Double target(@Nullable JsonNode job) {
        JsonNode target = job == null ? null : job.at("/train/stop/target");
        return target == null || !target.isNumber() ? null : target.asDouble();
    }

    private static void flatten(String path, JsonNode node, Map<String, String> settings) {
        if (node.isObject()) {
            String prefix = path.isEmpty() ? "" : path + ".";
            for (Map.Entry<String, JsonNode> entry : node.properties()) {
                flatten(prefix + entry.getKey(), entry.getValue(), settings);
            }
        } else if (node.isArray() && !node.isEmpty() && node.get(0).isObject()) {
            for (int i = 0; i < node.size(); i++) {
                flatten(path + "[" + i + "]", node.get(i), settings);
            }
        } else if (node.isArray()) {
            put(path, joined(node), settings);
        } else if (!node.isNull()) {
            put(path, node.asString(), settings);
        }
    }

    private static void put(String path, String value, Map<String, String> settings) {
        if (!value.isEmpty()) {
            settings.put(path, value);
        }
    }

    private static String joined(JsonNode array) {
        StringBuilder text = new StringBuilder();
        for (JsonNode item : array) {
            text.append(text.length() == 0 ? "" : ", ");
            text.append(item.isValueNode() ? item.asString() : item.toString());
        }
        return text.toString();
    }
}
