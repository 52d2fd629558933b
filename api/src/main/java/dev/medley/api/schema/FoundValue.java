package dev.medley.api.schema;

import tools.jackson.databind.JsonNode;

/** Describes in words what stands in a job file. */
public final class FoundValue {
    private static final int LONGEST = 60;

    private FoundValue() {}

    /** "the text 'abc'", "the number 3", "a list of 2", "a mapping", "nothing". */
    public static String describe(JsonNode node) {
        if (node.isString()) {
            return "the text '" + shorten(node.stringValue()) + "'";
        } else if (node.isNumber()) {
            return "the number " + node.asString();
        } else if (node.isBoolean()) {
            return "the truth value " + node.asString();
        } else if (node.isArray()) {
            return node.isEmpty() ? "an empty list" : "a list of " + node.size();
        } else if (node.isObject()) {
            return "a mapping";
        }
        return "nothing";
    }

    private static String shorten(String text) {
        String line = text.replace("\n", "\\n").replace("\t", "\\t");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }
}
