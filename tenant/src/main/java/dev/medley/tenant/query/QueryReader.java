package dev.medley.tenant.query;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads a question from JSON, as in <code>{"table": "customers", "group_by": ["region"],
 * "aggregates": [{"mean": "spend", "as": "spend"}], "where": "row.age &gt; 30"}</code>.
 */
public final class QueryReader {
    private static final List<String> KEYS =
            List.of("table", "columns", "aggregates", "where", "group_by", "order_by", "limit");
    private static final List<String> KINDS =
            Arrays.stream(AggregateKind.values()).map(AggregateKind::word).toList();
    private static final int MOST_NAMES = 1_000;
    private static final int LONGEST_NAME = 200;

    private QueryReader() {}

    /**
     * Reads it.
     *
     * @throws ConfigException if it is no question; whether its table and columns are there is
     *     looked at later
     */
    public static QuerySpec read(JsonNode json) {
        check(json.isObject(), "a query is an object with the keys %s", String.join(", ", KEYS));
        json.propertyNames().forEach(key -> requireKey(key, KEYS, "a query"));
        String table = text(json.path("table"), "table");
        QuerySpec read =
                new QuerySpec(
                        table,
                        names(json.path("columns"), "columns"),
                        aggregates(json.path("aggregates")),
                        json.has("where") ? text(json.path("where"), "where") : null,
                        names(json.path("group_by"), "group_by"),
                        order(json.path("order_by")),
                        limit(json));
        check(
                !read.isGrouped() || read.columns().isEmpty(),
                "columns: and group_by: or aggregates: do not go together: the answer has the"
                        + " columns of group_by and the aggregates");
        requireOnce(read);
        return read;
    }

    private static void requireOnce(QuerySpec read) {
        Set<String> seen = new HashSet<>();
        List<String> names = new ArrayList<>(read.columns());
        names.addAll(read.groupBy());
        read.aggregates().forEach(a -> names.add(a.name()));
        for (String name : names) {
            check(
                    seen.add(name),
                    "two columns of the answer have one name: give an aggregate another with"
                            + " \"as\"");
        }
    }

    private static List<Aggregate> aggregates(JsonNode json) {
        List<Aggregate> aggregates = new ArrayList<>();
        for (JsonNode each : list(json, "aggregates")) {
            check(
                    each.isObject(),
                    "aggregates: each is an object such as {\"mean\": \"spend\", \"as\": \"m\"}");
            List<String> known = new ArrayList<>(KINDS);
            known.add("as");
            each.propertyNames().forEach(key -> requireKey(key, known, "an aggregate"));
            List<String> there = KINDS.stream().filter(each::has).toList();
            check(there.size() == 1, "aggregates: each has one of %s", String.join(", ", KINDS));
            AggregateKind kind = AggregateKind.valueOf(there.get(0).toUpperCase(Locale.ROOT));
            String column = text(each.path(there.get(0)), there.get(0));
            check(
                    !column.equals(Aggregate.ROWS) || kind == AggregateKind.COUNT,
                    "aggregates: * is for count alone: name a column");
            String usual = column.equals(Aggregate.ROWS) ? kind.word() : kind.word() + "_" + column;
            aggregates.add(
                    new Aggregate(
                            kind, column, each.has("as") ? text(each.path("as"), "as") : usual));
        }
        return aggregates;
    }

    private static List<OrderTerm> order(JsonNode json) {
        List<OrderTerm> terms = new ArrayList<>();
        for (JsonNode each : list(json, "order_by")) {
            if (each.isObject()) {
                each.propertyNames()
                        .forEach(k -> requireKey(k, List.of("column", "order"), "an order"));
                String way = each.has("order") ? text(each.path("order"), "order") : "asc";
                check(way.equals("asc") || way.equals("desc"), "order_by: order is asc or desc");
                terms.add(
                        new OrderTerm(
                                text(each.path("column"), "column"),
                                OrderTerm.Direction.valueOf(way.toUpperCase(Locale.ROOT))));
            } else {
                terms.add(new OrderTerm(text(each, "order_by"), OrderTerm.Direction.ASC));
            }
        }
        return terms;
    }

    private static @Nullable Long limit(JsonNode json) {
        JsonNode limit = json.path("limit");
        if (limit.isMissingNode()) {
            return null;
        }
        check(
                limit.isIntegralNumber() && limit.canConvertToLong() && limit.longValue() >= 0,
                "limit: a whole number from 0 on");
        return limit.longValue();
    }

    private static List<String> names(JsonNode json, String key) {
        List<String> names = new ArrayList<>();
        list(json, key).forEach(n -> names.add(text(n, key)));
        return names;
    }

    private static Collection<JsonNode> list(JsonNode json, String key) {
        if (json.isMissingNode()) {
            return List.of();
        }
        check(json.isArray(), "%s: a list in brackets", key);
        check(json.size() <= MOST_NAMES, "%s: more than %d entries", key, MOST_NAMES);
        return json.values();
    }

    private static String text(JsonNode json, String key) {
        check(
                json.isString() && !json.stringValue().isEmpty(),
                "%s: a text that is not empty",
                key);
        String text = json.stringValue();
        check(
                key.equals("where") || text.length() <= LONGEST_NAME,
                "%s: a name of more than %d characters",
                key,
                LONGEST_NAME);
        return text;
    }

    private static void requireKey(String key, Collection<String> known, String of) {
        if (!known.contains(key)) {
            throw new ConfigException(
                    "%s has no such key%s"
                            .formatted(
                                    of,
                                    DidYouMean.of(key, known)
                                            .map("; did you mean %s?"::formatted)
                                            .orElse("; it has " + String.join(", ", known))));
        }
    }
}
