package dev.medley.tenant.policy;

import dev.medley.api.job.CheckedYaml;
import dev.medley.api.job.Section;
import dev.medley.api.schema.JobSchema;
import dev.medley.base.ConfigException;
import dev.medley.connect.Secret;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.expression.ValueType;
import dev.medley.tenant.quota.QuotaLimits;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads a file of policies and checks it against the tables it is about. Whatever is wrong with it
 * is one {@link ConfigException} with a line {@code file:line:column: message} for each error, in
 * order.
 */
public final class PolicyFile {
    private static final JobSchema SCHEMA =
            JobSchema.of("file of policies", PolicyFile.class, "/dev/medley/policies.schema.json");

    private static final String WHEN_EMPTY = "policies have bucket:, tables: and callers:";

    private final Section root;
    private final Path folder;

    private PolicyFile(Section root, Path folder) {
        this.root = root;
        this.folder = folder;
    }

    /**
     * Reads a file; relative paths in it begin at its folder.
     *
     * @param lookup finds the columns of each table
     */
    public static TenantPolicies read(Path file, ColumnLookup lookup) {
        return read(file, CheckedYaml.read(file, SCHEMA, WHEN_EMPTY), lookup);
    }

    /** The same of the file's text, which was read before. */
    public static TenantPolicies read(Path file, String text, ColumnLookup lookup) {
        return read(file, CheckedYaml.parse(file.toString(), text, SCHEMA, WHEN_EMPTY), lookup);
    }

    private static TenantPolicies read(Path file, CheckedYaml yaml, ColumnLookup lookup) {
        Path folder = file.toAbsolutePath().normalize().resolveSibling("");
        TenantPolicies read = new PolicyFile(yaml.root(), folder).read(lookup);
        yaml.throwIfAny();
        return read;
    }

    private TenantPolicies read(ColumnLookup lookup) {
        Map<String, CallerSpec> callers = new LinkedHashMap<>();
        Map<String, ValueType> attributes = new LinkedHashMap<>();
        Section given = root.section("callers");
        for (String name : given.keys()) {
            attempt(given, name, () -> callers.put(name, caller(name, given.section(name))));
            note(given.section(name).section("attributes"), attributes);
        }
        Map<String, TablePolicy> tables = new LinkedHashMap<>();
        Section named = root.section("tables");
        TablePolicyReader reader = new TablePolicyReader(folder, lookup, attributes);
        for (String name : named.keys()) {
            attempt(named, name, () -> tables.put(name, reader.read(name, named.section(name))));
        }
        Secret key = secret(root, "hash_key", folder);
        boolean isHashed =
                tables.values().stream()
                        .flatMap(t -> t.masks().stream())
                        .anyMatch(m -> m.mask() instanceof ColumnMask.Hashed);
        if (isHashed && key == null) {
            root.complain(
                    "tables",
                    "hash_key is missing: columns are hashed, so say where their key is, as in"
                            + " hash_key: file:hash.key");
        }
        return new TenantPolicies(
                root.text("bucket", ""), tables, callers, key, quotas(root, QuotaLimits.NONE));
    }

    private CallerSpec caller(String name, Section given) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        Section said = given.section("attributes");
        for (String attribute : said.keys()) {
            attempt(
                    said,
                    attribute,
                    () -> attributes.put(attribute, value(said.written(attribute))));
        }
        QuotaLimits usual = quotas(root, QuotaLimits.NONE);
        return new CallerSpec(
                new TenantCaller(name, attributes),
                secret(given, "secret", folder),
                quotas(given, usual));
    }

    private static Object value(JsonNode node) {
        if (node.isArray()) {
            return node.valueStream().map(JsonNode::asString).toList();
        } else if (node.isBoolean()) {
            return node.booleanValue();
        } else if (node.isNumber()) {
            ConfigException.check(
                    node.canConvertToLong(),
                    "%s is beyond 64 bits: write it as a text, in quotes",
                    node);
            return node.longValue();
        }
        return node.asString();
    }

    /** An attribute has one type, whoever has it. */
    private static void note(Section said, Map<String, ValueType> attributes) {
        for (String name : said.keys()) {
            JsonNode written = said.written(name);
            if (written.isNumber() && !written.canConvertToLong()) {
                continue; // Complained of already.
            }
            ValueType type = typeOf(value(written));
            ValueType before = attributes.putIfAbsent(name, type);
            if (before != null && before != type) {
                said.complain(
                        name,
                        "%s: here %s, but %s above: an attribute has one type for all callers"
                                .formatted(said.path(name), type.words(), before.words()));
            }
        }
    }

    /** What an attribute's value is to expressions. */
    public static ValueType typeOf(Object value) {
        if (value instanceof List) {
            return ValueType.TEXTS;
        } else if (value instanceof Boolean) {
            return ValueType.BOOLEAN;
        }
        return value instanceof Long ? ValueType.INTEGER : ValueType.TEXT;
    }

    private static QuotaLimits quotas(Section of, QuotaLimits usual) {
        Section given = of.section("quotas");
        return new QuotaLimits(
                given.integer("requests_per_minute", usual.requestsPerMinute()),
                given.integer("rows_per_day", usual.rowsPerDay()),
                given.integer("bytes_per_day", usual.bytesPerDay()),
                given.integer("concurrent", usual.concurrentReads()));
    }

    static @Nullable Secret secret(Section section, String key, Path folder) {
        String place = section.textOrNull(key);
        if (place == null) {
            return null;
        }
        try {
            return place.startsWith("file:")
                    ? new Secret("file:" + folder.resolve(place.substring("file:".length())))
                    : new Secret(place);
        } catch (InvalidPathException e) {
            section.complain(key, section.path(key) + ": no path: " + e.getReason());
            return null;
        } catch (ConfigException e) {
            section.complain(key, section.path(key) + ": " + e.getMessage());
            return null;
        }
    }

    /** What is wrong inside becomes a complaint at {@code key}'s place. */
    static void attempt(Section section, String key, Runnable read) {
        try {
            read.run();
        } catch (ConfigException e) {
            section.complain(key, section.path(key) + ": " + e.getMessage());
        } catch (InvalidPathException e) {
            section.complain(key, section.path(key) + ": no path: " + e.getReason());
        }
    }
}
