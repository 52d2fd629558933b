package dev.medley.serving.protocol;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.serving.ServingFailure;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Gathers the elements of an array in JSON, nested or flat, before its type is known.
 *
 * <p>Thread: one.
 */
final class JsonArray {
    private static final int DEEPEST = 16;

    private double[] numbers = new double[16];
    private long[] wholes = new long[16];
    private @Nullable List<@Nullable String> texts;
    private boolean areWhole = true;
    private boolean haveFlags;
    private boolean haveNulls;
    private int count;

    /** Lengths by depth, as the first array of each depth has them. */
    private final List<Integer> lengths = new ArrayList<>();

    /** Reads on to the end of the array at whose beginning {@code parser} is. */
    static JsonArray read(JsonParser parser, String input) {
        JsonArray array = new JsonArray();
        array.read(parser, input, 0);
        return array;
    }

    private void read(JsonParser parser, String input, int depth) {
        check(depth < DEEPEST, "input '%s': data is nested too deeply", input);
        int length = 0;
        boolean hasArrays = false;
        for (JsonToken token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            if (token == JsonToken.START_ARRAY) {
                check(
                        length == 0 || hasArrays,
                        "input '%s': data has values and lists beside each other",
                        input);
                hasArrays = true;
                read(parser, input, depth + 1);
            } else {
                check(!hasArrays, "input '%s': data has values and lists beside each other", input);
                add(token, parser, input);
            }
            length++;
        }
        while (lengths.size() <= depth) {
            lengths.add(-1);
        }
        int known = lengths.get(depth);
        check(
                known == -1 || known == length,
                "input '%s': data is ragged, a list has %d elements and another one %d",
                input,
                known,
                length);
        lengths.set(depth, length);
    }

    private void add(@Nullable JsonToken token, JsonParser parser, String input) {
        if (token == null) {
            throw ServingFailure.invalid("input '%s': data does not end", input);
        }
        switch (token) {
            case VALUE_STRING -> text(parser.getString(), input);
            case VALUE_NULL -> {
                haveNulls = true;
                if (texts != null) {
                    texts.add(null);
                    count++;
                } else {
                    number(Double.NaN, 0, false);
                }
            }
            case VALUE_TRUE, VALUE_FALSE -> {
                haveFlags = true;
                requireNoTexts(input);
                long flag = token == JsonToken.VALUE_TRUE ? 1 : 0;
                number((double) flag, flag, true);
            }
            case VALUE_NUMBER_INT -> {
                requireNoTexts(input);
                boolean isLong =
                        parser.getNumberType() == JsonParser.NumberType.INT
                                || parser.getNumberType() == JsonParser.NumberType.LONG;
                if (isLong) {
                    number((double) parser.getLongValue(), parser.getLongValue(), true);
                } else {
                    number(parser.getDoubleValue(), 0, false);
                }
            }
            case VALUE_NUMBER_FLOAT -> {
                requireNoTexts(input);
                number(parser.getDoubleValue(), 0, false);
            }
            default ->
                    throw ServingFailure.invalid(
                            "input '%s': data holds numbers, texts, true or false, and not objects",
                            input);
        }
    }

    private void requireNoTexts(String input) {
        check(texts == null, "input '%s': data has numbers and texts beside each other", input);
    }

    private void text(String text, String input) {
        List<@Nullable String> all = texts;
        if (all == null) {
            for (int i = 0; i < count; i++) {
                check(
                        Double.isNaN(numbers[i]),
                        "input '%s': data has numbers and texts beside each other",
                        input);
            }
            all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(null);
            }
            texts = all;
        }
        all.add(text);
        count++;
    }

    private void number(double number, long whole, boolean isWhole) {
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * count);
            if (areWhole) {
                wholes = Arrays.copyOf(wholes, 2 * count);
            }
        }
        areWhole &= isWhole;
        if (areWhole) {
            wholes[count] = whole;
        }
        numbers[count++] = number;
    }

    /**
     * The elements as an array of a type and shape.
     *
     * @throws dev.medley.serving.ServingFailure if they are none
     */
    Values values(String input, DataType type, List<Long> shape) {
        if (lengths.size() > 1) {
            List<Long> nested = lengths.stream().map(length -> (long) length).toList();
            check(
                    nested.equals(shape),
                    "input '%s': data is nested as %s, and its shape is %s",
                    input,
                    nested,
                    shape);
        }
        if (type == DataType.BYTES) {
            if (texts == null && count == 0) {
                return new Values.Texts(List.of());
            }
            check(texts != null || allNull(), "input '%s': BYTES are texts in quotes", input);
            List<@Nullable String> all = texts;
            return new Values.Texts(
                    all != null ? all : new ArrayList<>(Arrays.asList(new String[count])));
        }
        check(texts == null, "input '%s': %s are numbers, and texts were sent", input, type);
        check(
                !haveFlags || type == DataType.BOOL,
                "input '%s': true and false are BOOL, and the type is %s",
                input,
                type);
        check(
                !haveNulls || !(type.isWhole() || type == DataType.BOOL),
                "input '%s': null is no value of type %s",
                input,
                type);
        boolean isExact = type == DataType.INT64 || (type == DataType.UINT64 && areAllPositive());
        if (areWhole && isExact) {
            return new Values.Wholes(Arrays.copyOf(wholes, count));
        }
        for (int i = 0; i < count; i++) {
            requireFits(input, type, i);
        }
        return new Values.Numbers(Arrays.copyOf(numbers, count));
    }

    private boolean areAllPositive() {
        for (int i = 0; i < count; i++) {
            if (numbers[i] < 0) {
                return false;
            }
        }
        return true;
    }

    private boolean allNull() {
        for (int i = 0; i < count; i++) {
            if (!Double.isNaN(numbers[i])) {
                return false;
            }
        }
        return haveNulls;
    }

    private void requireFits(String input, DataType type, int at) {
        double number = numbers[at];
        if (type.isWhole() || type == DataType.BOOL) {
            check(
                    number >= type.least() && number <= type.most() && number == Math.rint(number),
                    "input '%s', element %d: %s is no %s",
                    input,
                    at,
                    number,
                    type);
        } else {
            check(
                    Double.isNaN(number)
                            || Double.isInfinite(number)
                            || Math.abs(number) <= type.most(),
                    "input '%s', element %d: %s is too large for %s",
                    input,
                    at,
                    number,
                    type);
        }
    }
}
