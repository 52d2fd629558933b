package dev.medley.serving.protocol;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.serving.ServingFailure;
import dev.medley.serving.input.RowTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * Reads rows in JSON: a list of objects, one object, objects line by line, or {@code {"instances":
 * [...]}}, of which each may be a list in the order of a model's columns, too.
 */
public final class Rows {
    private static final int MOST_COLUMNS = 20_000;
    private static final long LARGEST_EXACT = 1L << 53;

    private final JsonParser parser;
    private final List<String> order;
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final List<List<@Nullable Object>> rows = new ArrayList<>();
    private int cells;

    private Rows(JsonParser parser, List<String> order) {
        this.parser = parser;
        this.order = order;
    }

    /**
     * Reads rows.
     *
     * @param order names of a model's inputs, for rows without names
     * @throws ServingFailure if they are none
     */
    public static RowTable read(byte[] body, List<String> order) {
        try (JsonParser parser =
                RequestJson.FACTORY.createParser(ObjectReadContext.empty(), body)) {
            Rows rows = new Rows(parser, order);
            rows.read();
            return rows.table();
        } catch (JacksonException e) {
            throw RequestJson.notJson(e);
        }
    }

    private void read() {
        JsonToken first = parser.nextToken();
        check(
                first == JsonToken.START_ARRAY || first == JsonToken.START_OBJECT,
                "the body has no rows: send {\"column\": value, ...}, or a list of such");
        while (true) {
            if (parser.currentToken() == JsonToken.START_ARRAY) {
                list();
            } else {
                check(
                        parser.currentToken() == JsonToken.START_OBJECT,
                        "behind row %d there is something else than a row",
                        rows.size() - 1);
                objectOrInstances();
            }
            if (parser.nextToken() == null) {
                return;
            }
        }
    }

    private void list() {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            row();
        }
    }

    private void row() {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            List<@Nullable Object> values = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                values.add(value());
                check(
                        values.size() <= order.size(),
                        "row %d has more than the %d columns %s",
                        rows.size(),
                        order.size(),
                        String.join(", ", order));
            }
            check(
                    values.size() == order.size(),
                    "row %d has %d values; without names it has all of %s, in this order",
                    rows.size(),
                    values.size(),
                    String.join(", ", order));
            List<@Nullable Object> row = newRow();
            for (int i = 0; i < values.size(); i++) {
                put(row, order.get(i), values.get(i));
            }
        } else if (parser.currentToken() == JsonToken.START_OBJECT) {
            List<@Nullable Object> row = newRow();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                named(row, parser.currentName());
            }
        } else {
            check(
                    order.size() == 1,
                    "row %d is a single value, and the model reads %d columns",
                    rows.size(),
                    order.size());
            Object value = value();
            put(newRow(), order.get(0), value);
        }
    }

    private void named(List<@Nullable Object> row, String name) {
        if (parser.currentToken() == JsonToken.PROPERTY_NAME) {
            parser.nextToken();
        }
        boolean isOther =
                parser.currentToken() == JsonToken.START_ARRAY
                        || parser.currentToken() == JsonToken.START_OBJECT;
        if (isOther && !order.contains(name)) {
            parser.skipChildren(); // A column that nobody reads.
        } else {
            put(row, name, value());
        }
    }

    /** An object may be a row, or hold rows under the name that TensorFlow gave them. */
    private void objectOrInstances() {
        List<@Nullable Object> row = null;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            boolean mayHoldRows =
                    (name.equals("instances") || name.equals("rows")) && !order.contains(name);
            if (mayHoldRows && (row == null || parser.nextToken() == JsonToken.START_ARRAY)) {
                instances(name, row);
                return;
            }
            row = row == null ? newRow() : row;
            named(row, name);
        }
        if (row == null) {
            newRow();
        }
    }

    /** What stands beside the rows is none of them, as a signature_name, of which there is one. */
    private void instances(String name, @Nullable List<@Nullable Object> beside) {
        if (beside == null) {
            parser.nextToken();
        } else {
            rows.remove(rows.size() - 1);
        }
        check(
                parser.currentToken() == JsonToken.START_ARRAY,
                "\"%s\" is a list of rows, in [ and ]",
                name);
        list();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            parser.nextToken();
            parser.skipChildren();
        }
    }

    private List<@Nullable Object> newRow() {
        List<@Nullable Object> row = new ArrayList<>();
        check(
                rows.size() < RowTable.MOST_ROWS,
                "a request has at most %d rows: medley predict takes files",
                RowTable.MOST_ROWS);
        rows.add(row);
        return row;
    }

    private void put(List<@Nullable Object> row, String name, @Nullable Object value) {
        int place = places.computeIfAbsent(name, n -> places.size());
        check(place < MOST_COLUMNS, "rows have more than %d columns", MOST_COLUMNS);
        while (row.size() <= place) {
            row.add(null);
            check(
                    ++cells <= RowTable.MOST_CELLS,
                    "rows and columns make more than %d cells",
                    RowTable.MOST_CELLS);
        }
        row.set(place, value);
    }

    private @Nullable Object value() {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw ServingFailure.invalid("row %d does not end", rows.size());
        }
        return switch (token) {
            case VALUE_STRING -> parser.getString();
            case VALUE_NULL -> null;
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NUMBER_INT -> whole();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            default ->
                    throw ServingFailure.invalid(
                            "row %d: a value is a number, a text, true, false or null",
                            rows.size() - 1);
        };
    }

    /** A number beyond what a double holds stays a text: it may be the name of something. */
    private Object whole() {
        boolean isLong =
                parser.getNumberType() == JsonParser.NumberType.INT
                        || parser.getNumberType() == JsonParser.NumberType.LONG;
        if (!isLong || Math.abs(parser.getLongValue()) > LARGEST_EXACT) {
            return parser.getString();
        }
        return (double) parser.getLongValue();
    }

    private RowTable table() {
        check(
                (long) rows.size() * places.size() <= RowTable.MOST_CELLS,
                "%d rows of %d columns are more than %d cells",
                rows.size(),
                places.size(),
                RowTable.MOST_CELLS);
        List<@Nullable Object[]> all = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            @Nullable Object[] whole = new @Nullable Object[places.size()];
            for (int i = 0; i < row.size(); i++) {
                whole[i] = row.get(i);
            }
            all.add(whole);
        }
        return new RowTable(List.copyOf(places.keySet()), all);
    }
}
