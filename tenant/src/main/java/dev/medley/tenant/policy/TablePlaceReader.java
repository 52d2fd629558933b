package dev.medley.tenant.policy;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.job.Section;
import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.text.DidYouMean;
import dev.medley.connect.files.FileFormat;
import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.jdbc.JdbcOptions;
import dev.medley.connect.postgres.PostgresOptions;
import dev.medley.connect.table.ColumnType;
import dev.medley.iceberg.IcebergOptions;
import dev.medley.tenant.expression.ValueType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Reads where a file of policies says that a table is. */
final class TablePlaceReader {
    private static final List<String> KINDS =
            List.of("files", "snapshot", "postgres", "jdbc", "iceberg");

    /** Keys that belong to some kinds of tables alone. */
    private static final Map<String, List<String>> OWNERS =
            Map.of(
                    "types", List.of("files"),
                    "user", List.of("postgres", "jdbc"),
                    "password", List.of("postgres", "jdbc"),
                    "table", List.of("postgres", "jdbc", "iceberg"),
                    "role", List.of("postgres"),
                    "settings", List.of("postgres"),
                    "class_path", List.of("jdbc"),
                    "warehouse", List.of("iceberg"),
                    "token", List.of("iceberg"));

    private static final long STATEMENT_TIMEOUT_NS = Duration.ofMinutes(10).toNanos();

    private final Path folder;
    private final Map<String, ValueType> attributes;

    /** Relative paths begin at {@code folder}; {@code attributes} are those of all callers. */
    TablePlaceReader(Path folder, Map<String, ValueType> attributes) {
        this.folder = folder;
        this.attributes = attributes;
    }

    TablePlace read(Section given) {
        List<String> there = KINDS.stream().filter(given::has).toList();
        check(
                there.size() == 1,
                "%s; say one of %s",
                there.isEmpty()
                        ? "it does not say where the table is"
                        : "it says " + String.join(" and ", there),
                String.join(", ", KINDS));
        refuseStrange(given, there.get(0));
        return switch (there.get(0)) {
            case "files" -> files(given);
            case "snapshot" ->
                    new TablePlace.OfSnapshot(
                            folder.resolve(given.text("snapshot", "")).normalize());
            case "jdbc" -> jdbc(given);
            case "iceberg" -> iceberg(given);
            default -> postgres(given);
        };
    }

    private static void refuseStrange(Section given, String kind) {
        OWNERS.forEach(
                (key, owners) -> {
                    if (given.has(key) && !owners.contains(kind)) {
                        given.complain(
                                key,
                                "%s belongs to %s:, but the table is said by %s: remove it"
                                        .formatted(
                                                given.path(key),
                                                String.join(": and ", owners),
                                                kind));
                    }
                });
    }

    /** {@code data/2026/*.csv} begins to be a pattern where the first name with a mark is. */
    private TablePlace files(Section given) {
        String pattern = given.text("files", "");
        Map<String, ColumnType> types = new HashMap<>();
        Section named = given.section("types");
        for (String column : named.keys()) {
            types.put(column, ColumnType.valueOf(named.text(column, "").toUpperCase(Locale.ROOT)));
        }
        if (StoreUrl.isUrl(pattern)) {
            return new TablePlace.OfStored(pattern, format(pattern), types);
        }
        int mark =
                Stream.of("*", "?", "[")
                        .mapToInt(pattern::indexOf)
                        .filter(i -> i >= 0)
                        .min()
                        .orElse(pattern.length());
        int cut = pattern.lastIndexOf('/', mark) + 1;
        return new TablePlace.OfFiles(
                new FilesOptions(
                        folder.resolve(pattern.substring(0, cut)).normalize(),
                        pattern.substring(cut),
                        format(pattern),
                        List.of(),
                        types));
    }

    private static FileFormat format(String pattern) {
        String lower = pattern.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|zst)$", "");
        boolean isJson = Stream.of(".json", ".jsonl", ".ndjson").anyMatch(lower::endsWith);
        check(
                isJson || lower.endsWith(".csv") || lower.endsWith(".parquet"),
                "files: %s ends as none of .csv, .parquet, .json and .jsonl",
                pattern);
        return isJson
                ? FileFormat.JSON
                : lower.endsWith(".csv") ? FileFormat.CSV : FileFormat.PARQUET;
    }

    private TablePlace.OfPostgres postgres(Section given) {
        requireTable(given, "public.customers");
        Map<String, String> settings = new LinkedHashMap<>();
        Section said = given.section("settings");
        said.keys().forEach(key -> settings.put(key, said.text(key, "")));
        String role = given.textOrNull("role");
        if (role != null) {
            requireText(given, "role", role);
        }
        settings.forEach((setting, attribute) -> requireText(said, setting, attribute));
        return new TablePlace.OfPostgres(
                new PostgresOptions(
                        given.text("postgres", ""),
                        given.text("user", System.getProperty("user.name", "")),
                        PolicyFile.secret(given, "password", folder),
                        given.text("table", ""),
                        List.of(),
                        List.of(),
                        1,
                        STATEMENT_TIMEOUT_NS),
                role,
                settings);
    }

    private static void requireTable(Section given, String example) {
        check(given.has("table"), "table is missing: as in table: %s", example);
    }

    /** All rows are read for each extract: neither a key nor a cursor is asked for. */
    private TablePlace.OfJdbc jdbc(Section given) {
        requireTable(given, "SALES.CUSTOMERS");
        return new TablePlace.OfJdbc(
                new JdbcOptions(
                        given.text("jdbc", ""),
                        given.textOrNull("user"),
                        PolicyFile.secret(given, "password", folder),
                        given.text("table", ""),
                        List.of(),
                        null,
                        0,
                        1,
                        1,
                        given.texts("class_path", List.of()).stream()
                                .map(jar -> folder.resolve(jar).normalize())
                                .toList()));
    }

    private TablePlace iceberg(Section given) {
        String place = given.text("iceberg", "");
        try {
            return new TablePlace.OfIceberg(
                    new IcebergOptions(
                            StoreUrl.isUrl(place)
                                    ? place
                                    : folder.resolve(place).normalize().toString(),
                            given.textOrNull("table"),
                            given.textOrNull("warehouse"),
                            PolicyFile.secret(given, "token", folder),
                            List.of(),
                            List.of()));
        } catch (NoClassDefFoundError e) {
            throw new ConfigException(
                    "%s: Medley's module medley-iceberg is not on the class path: add it"
                            .formatted(given.path("iceberg")),
                    e);
        }
    }

    private void requireText(Section given, String key, String attribute) {
        ValueType type = attributes.get(attribute);
        if (type == null) {
            given.complain(
                    key,
                    "%s: no caller has an attribute '%s'%s"
                            .formatted(
                                    given.path(key),
                                    attribute,
                                    meant(attribute, List.copyOf(attributes.keySet()))));
        } else if (type == ValueType.TEXTS) {
            given.complain(
                    key,
                    "%s: the attribute '%s' is a list of texts, but one text is needed"
                            .formatted(given.path(key), attribute));
        }
    }

    static String meant(String word, List<String> known) {
        return DidYouMean.of(word, known)
                .map("; did you mean %s?"::formatted)
                .orElse("; there are " + String.join(", ", known));
    }
}
