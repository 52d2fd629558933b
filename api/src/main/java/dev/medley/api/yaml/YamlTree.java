package dev.medley.api.yaml;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Parses YAML 1.2 (core schema) into a tree, and remembers where everything was written. What is
 * not YAML, is written twice, refers to itself, or would take memory without end becomes a
 * complaint.
 */
public final class YamlTree {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int DEEPEST = 50;
    private static final int MOST_VALUES = 200_000;
    private static final int MOST_DIGITS = 400;
    private static final int LONGEST_LINE = 500_000;
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private final SourcePositions places;
    private final Complaints complaints;
    private final @Nullable SourcePosition fixedPlace;
    private int values;

    private YamlTree(
            SourcePositions places, Complaints complaints, @Nullable SourcePosition fixedPlace) {
        this.places = places;
        this.complaints = complaints;
        this.fixedPlace = fixedPlace;
    }

    /** The tree of a whole file; null if it holds nothing, or what is not YAML. */
    public static @Nullable JsonNode ofFile(
            String text, SourcePositions places, Complaints complaints) {
        return new YamlTree(places, complaints, null).parse(text, Pointer.ROOT);
    }

    /** The tree of an override's value, to stand at {@code pointer}; null for nothing. */
    public static @Nullable JsonNode ofOverride(
            String text,
            String pointer,
            SourcePosition place,
            SourcePositions places,
            Complaints complaints) {
        return new YamlTree(places, complaints, place).parse(text, pointer);
    }

    private @Nullable JsonNode parse(String text, String pointer) {
        LoadSettings settings = LoadSettings.builder().setSchema(new CoreSchema()).build();
        try {
            if (isTooLong(text) || isTooDeep(text, settings)) {
                return null;
            }
            Optional<Node> root = new Compose(settings).composeString(text);
            return root.isEmpty() ? null : convert(root.get(), pointer, 0);
        } catch (MarkedYamlEngineException e) {
            SourcePosition place = e.getProblemMark().map(this::place).orElse(SourcePosition.START);
            complaints.add(fixedPlace != null ? fixedPlace : place, problem(e));
        } catch (ReaderException e) {
            complaints.add(placeOf(text, e.getPosition()), "not text: " + e.getMessage());
        } catch (YamlEngineException e) {
            complaints.add(
                    fixedPlace != null ? fixedPlace : SourcePosition.START, "" + e.getMessage());
        }
        return null;
    }

    /** The reader's time grows with the square of a word's length. */
    private boolean isTooLong(String text) {
        int line = 1;
        for (int from = 0; from < text.length(); line++) {
            int end = text.indexOf('\n', from);
            int to = end < 0 ? text.length() : end;
            if (to - from > LONGEST_LINE) {
                complaints.add(
                        fixedPlace != null ? fixedPlace : SourcePosition.of(line, 1),
                        "%,d characters in one line, %,d are the most"
                                .formatted(to - from, LONGEST_LINE));
                return true;
            }
            from = to + 1;
        }
        return false;
    }

    /** Looks at one event after the other: composing goes down with the nesting. */
    private boolean isTooDeep(String text, LoadSettings settings) {
        int depth = 0;
        for (Event event : new Parse(settings).parseString(text)) {
            if (event instanceof CollectionStartEvent && ++depth > DEEPEST) {
                SourcePosition place =
                        event.getStartMark().map(this::place).orElse(SourcePosition.START);
                complaints.add(place, "nested deeper than " + DEEPEST + " levels");
                return true;
            } else if (event instanceof CollectionEndEvent) {
                depth--;
            }
        }
        return false;
    }

    private static String problem(MarkedYamlEngineException e) {
        String problem = e.getProblem();
        if (problem.contains("TAB")) {
            return "a tab where YAML wants spaces: indent with spaces";
        }
        String context = e.getContext() == null ? "" : e.getContext() + ": ";
        return "not YAML: " + context + problem;
    }

    private JsonNode convert(Node node, String pointer, int depth) {
        SourcePosition place = node.getStartMark().map(this::place).orElse(SourcePosition.START);
        places.value(pointer, place);
        if (depth > DEEPEST || node.isRecursive()) {
            complaints.add(place, "nested deeper than " + DEEPEST + " levels, or within itself");
            return NODES.nullNode();
        }
        if (++values > MOST_VALUES) { // What is named once and used often counts each time.
            if (values == MOST_VALUES + 1) {
                complaints.add(place, "more than %,d values".formatted(MOST_VALUES));
            }
            return NODES.nullNode();
        }
        if (node instanceof MappingNode mapping) {
            return mapping(mapping, pointer, depth);
        }
        if (node instanceof SequenceNode sequence) {
            ArrayNode array = NODES.arrayNode();
            for (Node item : sequence.getValue()) {
                array.add(convert(item, Pointer.child(pointer, array.size()), depth + 1));
            }
            return array;
        }
        ScalarNode scalar = (ScalarNode) node;
        places.raw(pointer, scalar.getValue());
        return scalar(scalar, place);
    }

    private ObjectNode mapping(MappingNode mapping, String pointer, int depth) {
        ObjectNode object = NODES.objectNode();
        for (NodeTuple entry : mapping.getValue()) {
            SourcePosition place =
                    entry.getKeyNode().getStartMark().map(this::place).orElse(SourcePosition.START);
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                complaints.add(place, "a key is one word, not a list or a mapping");
                continue;
            }
            String child = Pointer.child(pointer, key.getValue());
            if (object.has(key.getValue())) {
                complaints.add(
                        place,
                        "%s is written twice; the first is in line %d"
                                .formatted(Pointer.toPath(child), places.ofKey(child).line()));
                continue;
            }
            places.key(child, place);
            object.set(key.getValue(), convert(entry.getValueNode(), child, depth + 1));
        }
        return object;
    }

    private JsonNode scalar(ScalarNode scalar, SourcePosition place) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag();
        if (tag.equals(Tag.STR)) {
            return NODES.stringNode(text);
        } else if (tag.equals(Tag.NULL)) {
            return NODES.nullNode();
        } else if (tag.equals(Tag.BOOL)) {
            return NODES.booleanNode(Boolean.parseBoolean(text.toLowerCase(Locale.ROOT)));
        } else if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
            return number(text, place);
        }
        complaints.add(place, "the tag " + tag + " has no meaning in a job file");
        return NODES.nullNode();
    }

    /** A number that is in a double's range, or a complaint: others take memory without end. */
    private JsonNode number(String text, SourcePosition place) {
        if (text.length() > MOST_DIGITS) {
            complaints.add(
                    place,
                    "a number of %,d characters: %s... is longer than any that has a meaning here"
                            .formatted(text.length(), text.substring(0, 20)));
            return NODES.nullNode();
        }
        try {
            BigDecimal number =
                    isDecimal(text) ? new BigDecimal(text) : new BigDecimal(integer(text));
            if (number.scale() <= MOST_DIGITS && Double.isFinite(number.doubleValue())) {
                if (number.abs().compareTo(LARGEST) <= 0) {
                    return isDecimal(text)
                            ? NODES.numberNode(number)
                            : NODES.numberNode(number.toBigInteger());
                }
                complaints.add(place, text + " is beyond 9.2e18, the most that any key takes");
                return NODES.nullNode();
            }
        } catch (NumberFormatException e) {
            // Said below: .inf, .nan, a tag before what is no number, an exponent beyond all.
        }
        complaints.add(place, text + " is not a finite number");
        return NODES.nullNode();
    }

    private static boolean isDecimal(String text) {
        return !text.startsWith("0x") && !text.startsWith("0o") && text.matches(".*[.eE].*");
    }

    private static BigInteger integer(String text) {
        if (text.startsWith("0x") || text.startsWith("0o")) {
            return new BigInteger(text.substring(2), text.charAt(1) == 'x' ? 16 : 8);
        }
        return new BigInteger(text.startsWith("+") ? text.substring(1) : text);
    }

    private SourcePosition place(Mark mark) {
        return fixedPlace != null
                ? fixedPlace
                : SourcePosition.of(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private SourcePosition placeOf(String text, int position) {
        if (fixedPlace != null) {
            return fixedPlace;
        }
        String before = text.substring(0, Math.min(position, text.length()));
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        return SourcePosition.of(line, before.length() - before.lastIndexOf('\n'));
    }
}
