package dev.medley.api.job;

import dev.medley.api.schema.JobSchema;
import dev.medley.api.schema.SchemaErrors;
import dev.medley.api.yaml.Complaints;
import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.SourcePositions;
import dev.medley.api.yaml.YamlTree;
import dev.medley.base.ConfigException;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/**
 * Holds a YAML file that is as a schema says. What its reader finds wrong beyond that is complained
 * of at its place, and all at once.
 *
 * <p>Thread: one.
 */
public final class CheckedYaml {
    private final Section root;
    private final Complaints complaints;

    private CheckedYaml(Section root, Complaints complaints) {
        this.root = root;
        this.complaints = complaints;
    }

    /**
     * Reads a file.
     *
     * @param whenEmpty what a file has, as in "a loop has sources: and rows:"
     * @throws ConfigException with a line {@code file:line:column: message} for each error
     */
    public static CheckedYaml read(Path file, JobSchema schema, String whenEmpty) {
        return parse(file.toString(), JobFile.text(file), schema, whenEmpty);
    }

    /** The same of a text; {@code file} is its name for messages. */
    public static CheckedYaml parse(String file, String text, JobSchema schema, String whenEmpty) {
        Complaints complaints = new Complaints(file);
        SourcePositions places = new SourcePositions();
        JsonNode tree = YamlTree.ofFile(text, places, complaints);
        complaints.throwIfAny();
        if (tree == null) {
            throw new ConfigException(file + ":1:1: the file is empty; " + whenEmpty);
        }
        new SchemaErrors(schema, places, complaints).complainAbout(tree);
        complaints.throwIfAny();
        return new CheckedYaml(new Section(tree, Pointer.ROOT, places, complaints), complaints);
    }

    /** Its keys. */
    public Section root() {
        return root;
    }

    /** Ends where anything was complained of. */
    public void throwIfAny() {
        complaints.throwIfAny();
    }
}
