package dev.medley.api.yaml;

import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import dev.medley.base.text.DidYouMean;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Reads a small mapping in YAML or JSON, and collects what is wrong with it. All of it is one
 * {@link ConfigException} with a line {@code file:line:column: message} for each mistake.
 */
public final class YamlFile {
    private static final int LARGEST_BYTES = 1 << 20;

    private final JsonNode root;
    private final String name;
    private final String kind;
    private final SourcePositions places;
    private final Complaints complaints;

    private YamlFile(
            String name,
            JsonNode root,
            String kind,
            SourcePositions places,
            Complaints complaints) {
        this.name = name;
        this.root = root;
        this.kind = kind;
        this.places = places;
        this.complaints = complaints;
    }

    /**
     * A file that is there and holds a mapping; unknown keys of it are complained of.
     *
     * @param kind what it describes, as in "is no key of shares"
     * @param missing what to do where there is no such file; may be empty
     * @param keys of the mapping
     * @throws ConfigException if it cannot be read, or holds no mapping
     */
    public static YamlFile read(Path file, String kind, String missing, List<String> keys) {
        String name = file.toString();
        Complaints complaints = new Complaints(name);
        SourcePositions places = new SourcePositions();
        JsonNode tree = YamlTree.ofFile(text(file, missing), places, complaints);
        complaints.throwIfAny();
        if (tree == null || !tree.isObject()) {
            throw new ConfigException(
                    name + ":1:1: a mapping with the keys " + String.join(", ", keys));
        }
        YamlFile read = new YamlFile(name, tree, kind, places, complaints);
        read.refuseUnknown(tree, Pointer.ROOT, keys);
        return read;
    }

    private static String text(Path file, String missing) {
        try {
            return NamedFile.text(file, LARGEST_BYTES);
        } catch (NoSuchFileException e) {
            String more = missing.isEmpty() ? "" : "; " + missing;
            throw new ConfigException(file + ": there is no such file" + more, e);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** The mapping. */
    public JsonNode root() {
        return root;
    }

    /** Complains of each key of a mapping that is not known, with what may be meant. */
    public void refuseUnknown(JsonNode node, String pointer, List<String> known) {
        for (String key : node.propertyNames()) {
            if (!known.contains(key)) {
                String hint =
                        DidYouMean.of(key, known)
                                .map("did you mean %s?"::formatted)
                                .orElse("it has " + String.join(", ", known));
                complaints.add(
                        places.ofKey(Pointer.child(pointer, key)),
                        "%s is no key of %s; %s".formatted(key, kind, hint));
            }
        }
    }

    /** Complains of a key's value, or of the mapping where the key is missing. */
    public void complain(String pointer, String key, String message) {
        String child = Pointer.child(pointer, key);
        boolean isThere = places.has(child) || pointer.equals(Pointer.ROOT);
        complaints.add(isThere ? places.ofKey(child) : places.ofValue(pointer), message);
    }

    /** Complains of what a key has. */
    public void complainOfValue(String pointer, String key, String message) {
        complaints.add(places.ofValue(Pointer.child(pointer, key)), message);
    }

    /** Where a key stands, as {@code file:line:column}. */
    public String placeOf(String pointer) {
        return places.ofKey(pointer).describe(name);
    }

    /** Ends where anything was complained of. */
    public void throwIfAny() {
        complaints.throwIfAny();
    }
}
