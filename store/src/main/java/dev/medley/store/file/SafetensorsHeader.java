package dev.medley.store.file;

import dev.medley.base.ConfigException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON header of a safetensors file, checked against the length of its data. It has known
 * types, shapes that fit their bytes, no overlap, no gap, nothing beyond the end.
 *
 * @param metadata text by key
 * @param entries ordered by offset
 */
record SafetensorsHeader(Map<String, String> metadata, List<Entry> entries) {
    private static final ObjectMapper STRICT =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    /** One array: where it lies in the data. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Entry(String name, StoredType type, long[] shape, long from, long end) {}

    /** Parses and checks; a {@link ConfigException} begins with {@code file}. */
    static SafetensorsHeader parse(String file, byte[] json, long dataBytes) {
        Map<String, String> metadata = new LinkedHashMap<>();
        List<Entry> entries = new ArrayList<>();
        try (JsonParser parser = STRICT.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw damaged(file, "its header is not a JSON object");
            }
            // One array's tree at a time: a file of strangers may name very many.
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                JsonNode value = STRICT.readTree(parser);
                if (name.equals(SafetensorsWriter.METADATA)) {
                    readMetadata(file, value, metadata);
                } else {
                    entries.add(readEntry(file, name, value));
                }
            }
            if (parser.nextToken() != null) {
                throw damaged(file, "its header goes on after its end");
            }
        } catch (JacksonException e) {
            throw damaged(file, "its header is not JSON: " + e.getOriginalMessage());
        }
        entries.sort(Comparator.comparingLong(Entry::from).thenComparingLong(Entry::end));
        checkCover(file, entries, dataBytes);
        return new SafetensorsHeader(metadata, entries);
    }

    static ConfigException damaged(String file, String how) {
        return new ConfigException(
                file + ": not a whole safetensors file: " + how + "; fetch or write it again");
    }

    private static void readMetadata(String file, JsonNode tree, Map<String, String> into) {
        for (Map.Entry<String, JsonNode> text : tree.properties()) {
            if (!text.getValue().isString()) {
                throw damaged(file, "__metadata__." + text.getKey() + " is not text");
            }
            into.put(text.getKey(), text.getValue().asString());
        }
    }

    private static Entry readEntry(String file, String name, JsonNode tree) {
        StoredType type = typeOf(file, name, tree.path("dtype").asString(""));
        long[] shape = counts(file, name + ".shape", tree.get("shape"));
        long[] offsets = counts(file, name + ".data_offsets", tree.get("data_offsets"));
        if (offsets.length != 2 || offsets[0] > offsets[1]) {
            throw damaged(file, name + ".data_offsets is not a begin and an end");
        }
        long needed = type.bytes();
        try {
            for (long length : shape) {
                needed = Math.multiplyExact(needed, length);
            }
        } catch (ArithmeticException e) {
            throw damaged(file, name + ".shape is longer than any memory");
        }
        if (needed != offsets[1] - offsets[0]) {
            throw damaged(
                    file,
                    "%s needs %d bytes and has %d"
                            .formatted(name, needed, offsets[1] - offsets[0]));
        }
        return new Entry(name, type, shape, offsets[0], offsets[1]);
    }

    private static StoredType typeOf(String file, String name, String dtype) {
        try {
            return StoredType.valueOf(dtype);
        } catch (IllegalArgumentException e) {
            throw damaged(file, name + ".dtype \"" + dtype + "\" is unknown to this version");
        }
    }

    private static long[] counts(String file, String name, @Nullable JsonNode tree) {
        if (tree == null || !tree.isArray()) {
            throw damaged(file, name + " is missing");
        }
        long[] counts = new long[tree.size()];
        for (int i = 0; i < counts.length; i++) {
            JsonNode count = tree.get(i);
            if (!count.isIntegralNumber() || !count.canConvertToLong() || count.asLong() < 0) {
                throw damaged(file, name + " holds " + count + ", not a count");
            }
            counts[i] = count.asLong();
        }
        return counts;
    }

    private static void checkCover(String file, List<Entry> entries, long dataBytes) {
        long covered = 0;
        for (Entry entry : entries) {
            if (entry.from() != covered) {
                String how = entry.from() < covered ? "overlaps the array before" : "leaves a gap";
                throw damaged(file, entry.name() + " " + how + " at byte " + entry.from());
            }
            covered = entry.end();
        }
        if (covered != dataBytes) {
            throw damaged(
                    file, "its arrays take %d bytes, it holds %d".formatted(covered, dataBytes));
        }
    }
}
