package dev.medley.hub.http;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import java.util.Map;

/**
 * Holds one call to a hub.
 *
 * @param parameters of path and query
 */
record HubCall(HubCaller caller, Map<String, String> parameters, byte[] body) {
    long id() {
        return number("id", 0).longValue();
    }

    Double number(String name, double otherwise) {
        String word = parameters.get(name);
        if (word == null || word.isEmpty()) {
            return otherwise;
        }
        try {
            double value = Double.parseDouble(word);
            ConfigException.check(Double.isFinite(value), "%s is '%s'; give a number", name, word);
            return value;
        } catch (NumberFormatException e) {
            throw new ConfigException("%s is '%s'; give a number".formatted(name, word), e);
        }
    }

    <T> T body(Class<T> type) {
        try {
            return Json.parseWhole(body, type);
        } catch (RuntimeException e) {
            String why =
                    String.valueOf(e.getMessage())
                            .lines()
                            .findFirst()
                            .orElse("")
                            .replaceAll("; `.*", "")
                            .replaceAll("`?[a-z]+(\\.[a-z0-9]+)+\\.[A-Za-z$.]+`?", "this");
            throw new ConfigException(
                    "the body is no %s: %s".formatted(type.getSimpleName(), why), e);
        }
    }
}
