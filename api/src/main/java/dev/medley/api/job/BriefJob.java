package dev.medley.api.job;

import dev.medley.api.yaml.Complaints;
import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.SourcePositions;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes a job as its user would, without the keys that have their defaults. A key is left out if
 * the job reads the same without it, so that what is written gives an equal job.
 */
final class BriefJob {
    /** What a user changes first stays, whatever its default. */
    private static final Set<String> KEPT =
            Set.of(
                    "/name",
                    "/train/epochs",
                    "/train/steps",
                    "/train/time",
                    "/train/batch",
                    "/cluster/workers");

    /** The keys without which a mapping cannot have any other key. */
    private static final Set<String> OF_MAPPINGS = Set.of("class", "family");

    /** The key of a mapping that may stand alone. */
    private static final Map<String, String> ALONE =
            Map.of(
                    "/model", "family",
                    "/strategy", "kind",
                    "/train/optimizer", "kind",
                    "/train/schedule", "kind",
                    "/train/threshold", "maximise",
                    "/data/split", "validation",
                    "/cluster", "workers",
                    "/checkpoint", "every");

    private static final List<String> LISTS = List.of("/data/train", "/data/validation");

    private final JobSpec job;
    private final ObjectNode tree;

    private BriefJob(JobSpec job) {
        this.job = job;
        this.tree = (ObjectNode) JobYaml.tree(job);
    }

    /** The tree of a job file that gives an equal job; null where the whole tree gives another. */
    static @Nullable JsonNode of(JobSpec job) {
        BriefJob brief = new BriefJob(job);
        if (!brief.isSame()) {
            return null;
        }
        brief.shorten(brief.tree, Pointer.ROOT);
        brief.letStandAlone();
        withoutDots(brief.tree);
        return brief.isSame() ? brief.tree : null;
    }

    private void shorten(ObjectNode mapping, String pointer) {
        for (String key : mapping.propertyNames().toArray(String[]::new)) {
            String at = Pointer.child(pointer, key);
            if (KEPT.contains(at) || OF_MAPPINGS.contains(key)) {
                continue;
            }
            JsonNode value = mapping.get(key);
            boolean isWhole = KEPT.stream().noneMatch(kept -> kept.startsWith(at + "/"));
            if (isWhole && isSameWithout(mapping, key, value)) {
                continue;
            }
            if (value instanceof ObjectNode section) {
                shorten(section, at);
            }
        }
    }

    /** Takes a key out if that changes nothing; else its place in the order is kept. */
    private boolean isSameWithout(ObjectNode mapping, String key, JsonNode value) {
        ObjectNode before = mapping.deepCopy();
        mapping.remove(key);
        if (isSame()) {
            return true;
        }
        mapping.removeAll();
        before.properties().forEach(each -> mapping.set(each.getKey(), each.getValue()));
        mapping.set(key, value);
        return false;
    }

    private void letStandAlone() {
        for (String at : LISTS) {
            replaceIf(at, value -> value instanceof ArrayNode && value.size() == 1, "/0");
        }
        ALONE.forEach(
                (at, key) ->
                        replaceIf(at, value -> value.size() == 1 && value.has(key), "/" + key));
    }

    private void replaceIf(
            String at, java.util.function.Predicate<JsonNode> isShort, String child) {
        JsonNode value = tree.at(at);
        if (isShort.test(value)) {
            JsonNode parent = tree.at(Pointer.parent(at));
            ((ObjectNode) parent).set(at.substring(at.lastIndexOf('/') + 1), value.at(child));
        }
    }

    /** Whole numbers as such, {@code epochs: 4}. */
    private static void withoutDots(ObjectNode mapping) {
        for (String key : mapping.propertyNames().toArray(String[]::new)) {
            JsonNode value = mapping.path(key);
            if (value instanceof ObjectNode child) {
                withoutDots(child);
            } else if (value.isDouble() && isWhole(value.doubleValue())) {
                mapping.put(key, (long) value.doubleValue());
            }
        }
    }

    private static boolean isWhole(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e9;
    }

    private boolean isSame() {
        Complaints complaints = new Complaints("job");
        SourcePositions places = new SourcePositions();
        ObjectNode copy = tree.deepCopy();
        try {
            new Shorthand(places).expand(copy);
            return new JobReading(copy, places, complaints).read(Path.of("/"), "job").equals(job);
        } catch (ConfigException e) {
            return false; // It cannot do without that key.
        }
    }
}
