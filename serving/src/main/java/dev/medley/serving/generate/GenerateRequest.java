package dev.medley.serving.generate;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.text.DidYouMean;
import dev.medley.inference.model.GenerateOptions;
import dev.medley.serving.ServingFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Asks for a text to go on with.
 *
 * @param id that the answer has again; empty for none
 * @param text that is gone on with
 * @param how tokens are drawn, and how many
 * @param stop texts at which it ends, which are no part of the answer
 * @param wantsStream what the request says itself; null where it does not
 */
record GenerateRequest(
        String id,
        String text,
        GenerateOptions how,
        List<String> stop,
        @Nullable Boolean wantsStream) {
    /** Tokens of one request. */
    static final int MOST_TOKENS = 4096;

    private static final int MOST_STOPS = 16;
    private static final int LONGEST_STOP = 1000;
    private static final List<String> PARAMETERS =
            List.of(
                    "max_tokens",
                    "temperature",
                    "top_k",
                    "top_p",
                    "seed",
                    "stop",
                    "stream",
                    "details");

    GenerateRequest {
        stop = List.copyOf(stop);
    }

    /**
     * Reads a body. Parameters may stand beside the text, too, as some of Triton's backends have
     * them.
     *
     * @throws ServingFailure if it is none
     */
    static GenerateRequest read(byte[] body) {
        try {
            return read(Json.parse(body, JsonNode.class));
        } catch (JacksonException e) {
            throw ServingFailure.invalid("the body is not JSON as it should be");
        }
    }

    private static GenerateRequest read(JsonNode all) {
        check(
                all.isObject(),
                "the body is no JSON object; it begins with { and has \"text_input\"");
        JsonNode parameters = all.path("parameters");
        check(
                parameters.isMissingNode() || parameters.isObject(),
                "\"parameters\" is an object, in { and }");
        requireKnown(all, List.of("id", "text_input", "parameters"));
        requireKnown(parameters, List.of());
        JsonNode text = all.path("text_input");
        check(text.isString(), "\"text_input\" is a text, with which the model goes on");
        JsonNode id = all.path("id");
        check(id.isMissingNode() || id.isString(), "\"id\" is a text");
        Given given = new Given(all, parameters);
        check(
                !Boolean.TRUE.equals(given.flag("details")),
                "parameter details: probabilities of tokens are not given here");
        return new GenerateRequest(
                id.asString(""),
                text.asString(),
                options(given),
                stop(given.of("stop")),
                given.flag("stream"));
    }

    private static void requireKnown(JsonNode object, List<String> others) {
        List<String> known = new ArrayList<>(PARAMETERS);
        known.addAll(others);
        for (String key : object.propertyNames()) {
            if (!known.contains(key)) {
                throw ServingFailure.invalid(
                        "there is no parameter '%s'%s; there are %s",
                        key.length() > 60 ? key.substring(0, 60) : key,
                        DidYouMean.of(key, known)
                                .map(k -> ", did you mean '" + k + "'?")
                                .orElse(""),
                        String.join(", ", PARAMETERS));
            }
        }
    }

    private static GenerateOptions options(Given given) {
        GenerateOptions usual = GenerateOptions.defaults();
        long tokens = given.whole("max_tokens", usual.tokens());
        check(
                tokens >= 1 && tokens <= MOST_TOKENS,
                "parameter max_tokens is %d; give 1 to %d",
                tokens,
                MOST_TOKENS);
        long topK = given.whole("top_k", usual.topK());
        check(topK >= 0, "parameter top_k is %d; give at least 1, or 0 for all tokens", topK);
        double temperature = given.number("temperature", usual.temperature());
        try {
            return new GenerateOptions(
                    (int) tokens,
                    temperature,
                    (int) Math.min(Integer.MAX_VALUE, topK),
                    given.number("top_p", usual.topP()),
                    given.whole("seed", usual.seed()));
        } catch (ConfigException e) {
            throw ServingFailure.invalid("parameter %s", e.getMessage());
        }
    }

    private static List<String> stop(JsonNode said) {
        List<String> stops = new ArrayList<>();
        if (said.isString()) {
            stops.add(said.asString());
        } else {
            check(
                    said.isArray() || said.isMissingNode() || said.isNull(),
                    "parameter stop is a text, or a list of texts");
            said.forEach(
                    each -> {
                        check(each.isString(), "parameter stop is a list of texts");
                        stops.add(each.asString());
                    });
        }
        check(stops.size() <= MOST_STOPS, "parameter stop has more than %d texts", MOST_STOPS);
        for (String stop : stops) {
            check(
                    !stop.isEmpty() && stop.length() <= LONGEST_STOP,
                    "parameter stop: a text has %d characters; give 1 to %d",
                    stop.length(),
                    LONGEST_STOP);
        }
        return stops;
    }

    /** Parameters, those of "parameters" first. */
    private record Given(JsonNode all, JsonNode parameters) {
        JsonNode of(String key) {
            return parameters.has(key) ? parameters.path(key) : all.path(key);
        }

        private boolean isThere(String key) {
            return !of(key).isMissingNode() && !of(key).isNull();
        }

        long whole(String key, long usual) {
            check(
                    !isThere(key) || (of(key).isIntegralNumber() && of(key).canConvertToLong()),
                    "parameter %s is a whole number",
                    key);
            return isThere(key) ? of(key).asLong() : usual;
        }

        double number(String key, double usual) {
            check(!isThere(key) || of(key).isNumber(), "parameter %s is a number", key);
            double found = isThere(key) ? of(key).doubleValue(Double.NaN) : usual;
            check(Double.isFinite(found), "parameter %s is too large a number", key);
            return found;
        }

        @Nullable Boolean flag(String key) {
            check(!isThere(key) || of(key).isBoolean(), "parameter %s is true or false", key);
            return isThere(key) ? of(key).booleanValue() : null;
        }
    }
}
