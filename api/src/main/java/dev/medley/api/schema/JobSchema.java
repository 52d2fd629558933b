package dev.medley.api.schema;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.PathType;
import dev.medley.base.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Holds the JSON Schema of job files, or of cluster files. Beside the vocabulary of draft 2020-12
 * it uses annotations of its own: {@code x-expected} (the form in words), {@code x-default} (a
 * default that is no value), {@code x-defaults} (defaults that depend on another key), {@code x-of}
 * (kinds for which the key has a meaning), {@code x-aka} (names that others use for the key),
 * {@code x-words-aka} (what others call one of its words).
 */
public final class JobSchema {
    private static final String RESOURCE = "/dev/medley/job.schema.json";
    private static final String CLUSTER_RESOURCE = "/dev/medley/cluster.schema.json";

    private final String noun;
    private final JsonNode tree;
    private @Nullable Schema compiled;

    private JobSchema(String noun, Class<?> owner, String resource) {
        this.noun = noun;
        this.tree = JsonMapper.shared().readTree(text(owner, resource));
        if (resource.equals(RESOURCE)) {
            StrategySchema.complete(tree);
        }
    }

    /**
     * That of files of another module.
     *
     * @param noun what a file describes, as in "a loop"
     * @param owner whose jar has the schema
     * @param resource its absolute name there
     */
    public static JobSchema of(String noun, Class<?> owner, String resource) {
        return new JobSchema(noun, owner, resource);
    }

    /** The text of the schema of jobs. */
    static String text() {
        return Json.pretty(shared().tree);
    }

    private static String text(Class<?> owner, String resource) {
        try (InputStream in = owner.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode tree() {
        return tree;
    }

    private Schema compile() {
        SchemaRegistryConfig config =
                SchemaRegistryConfig.builder()
                        .pathType(PathType.JSON_POINTER)
                        .preloadSchema(false)
                        .build();
        return SchemaRegistry.withDefaultDialect(
                        SpecificationVersion.DRAFT_2020_12, b -> b.schemaRegistryConfig(config))
                .getSchema(withoutAnnotations(tree));
    }

    /** The validator warns about every keyword that it does not know. */
    private static JsonNode withoutAnnotations(JsonNode node) {
        JsonNode copy = node.deepCopy();
        strip(copy);
        return copy;
    }

    private static void strip(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(object.propertyNames().stream().filter(n -> n.startsWith("x-")).toList());
        }
        node.forEach(JobSchema::strip);
    }

    /** The one that all readers share; safe for all threads. */
    public static JobSchema shared() {
        return Shared.SCHEMA;
    }

    /** That of cluster files; safe for all threads. */
    public static JobSchema ofClusters() {
        return SharedOfClusters.SCHEMA;
    }

    private static final class Shared {
        static final JobSchema SCHEMA = new JobSchema("job", JobSchema.class, RESOURCE);
    }

    private static final class SharedOfClusters {
        static final JobSchema SCHEMA = new JobSchema("cluster", JobSchema.class, CLUSTER_RESOURCE);
    }

    /** What its files describe: a job, a cluster. */
    String noun() {
        return noun;
    }

    /** All violations, those of alternatives that were not meant included. */
    synchronized List<Error> validate(JsonNode job) {
        if (compiled == null) {
            compiled = compile(); // Not worth it for who only reads the reference.
        }
        return compiled.validate(job);
    }

    /** The node at a pointer into the schema; missing if there is none. */
    JsonNode at(String pointer) {
        return tree.at(pointer);
    }

    /** {@code node} itself, or what its {@code $ref} refers to. */
    JsonNode target(JsonNode node) {
        JsonNode at = node;
        while (at.has("$ref")) {
            at = tree.at(at.path("$ref").stringValue().substring(1));
        }
        return at;
    }

    /** The annotation or keyword {@code name} of {@code node}, or of what it refers to. */
    JsonNode keyword(JsonNode node, String name) {
        return node.has(name) ? node.path(name) : target(node).path(name);
    }
}
