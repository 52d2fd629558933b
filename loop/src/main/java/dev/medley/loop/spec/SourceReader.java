package dev.medley.loop.spec;

import dev.medley.api.job.Section;
import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.connect.Secret;
import dev.medley.connect.files.FileFormat;
import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.jdbc.JdbcOptions;
import dev.medley.connect.postgres.PostgresOptions;
import dev.medley.connect.salesforce.SalesforceTable;
import dev.medley.connect.salesforce.call.SalesforceLogin;
import dev.medley.connect.salesforce.event.ChangeEventOptions;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.schema.SchemaMode;
import dev.medley.connect.table.ColumnType;
import dev.medley.iceberg.IcebergOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a loop's file says of sources and destinations. What is wrong is a {@link
 * ConfigException}.
 */
final class SourceReader {
    private static final List<String> KINDS =
            List.of("postgres", "jdbc", "salesforce", "files", "iceberg");
    private static final long STATEMENT_TIMEOUT_NS = Duration.ofHours(1).toNanos();
    private static final long NS_PER_MICRO = 1000;
    private static final int USUAL_BUDGET_PERCENT = 50;
    private static final int USUAL_ALL_EVERY = 24;

    private final Path folder;

    /** Relative paths begin at {@code folder}. */
    SourceReader(Path folder) {
        this.folder = folder;
    }

    SourceSpec read(String name, Section source) {
        String kind = kind(source, KINDS, "where the table is");
        SourceSpec.Place place =
                switch (kind) {
                    case "postgres" ->
                            new SourceSpec.OfPostgres(
                                    postgres(
                                            source,
                                            source.texts("columns", List.of()),
                                            source.texts("key", List.of())));
                    case "jdbc" -> new SourceSpec.OfJdbc(jdbc(source));
                    case "salesforce" -> salesforce(source);
                    case "iceberg" -> iceberg(source);
                    default -> files(source);
                };
        return new SourceSpec(name, place, contract(source.section("contract")));
    }

    /** Which of some keys is there; exactly one has to be. */
    static String kind(Section section, List<String> kinds, String what) {
        List<String> there = kinds.stream().filter(section::has).toList();
        if (there.size() != 1) {
            throw new ConfigException(
                    "%s; say one of %s"
                            .formatted(
                                    there.isEmpty()
                                            ? "it does not say " + what
                                            : "it says " + String.join(" and ", there),
                                    String.join(", ", kinds)));
        }
        return there.get(0);
    }

    private PostgresOptions postgres(Section source, List<String> columns, List<String> key) {
        return new PostgresOptions(
                source.text("postgres", ""),
                source.text("user", System.getProperty("user.name", "")),
                secret(source, folder),
                required(source, "table", "the table, as in table: public.customers"),
                columns,
                key,
                source.count("deletes_every", 1),
                STATEMENT_TIMEOUT_NS);
    }

    private JdbcOptions jdbc(Section source) {
        boolean isNumber = source.text("overlap", "").matches("\\d+");
        long overlap =
                isNumber
                        ? source.integer("overlap", 0)
                        : source.duration("overlap", 0) / NS_PER_MICRO;
        return new JdbcOptions(
                source.text("jdbc", ""),
                source.textOrNull("user"),
                secret(source, folder),
                required(source, "table", "the table, as in table: sales.orders"),
                source.texts("key", List.of()),
                source.textOrNull("cursor"),
                overlap,
                source.count("deletes_every", 1),
                source.count("all_every", USUAL_ALL_EVERY),
                source.texts("class_path", List.of()).stream()
                        .map(jar -> folder.resolve(jar).normalize())
                        .toList());
    }

    private SourceSpec.Place iceberg(Section source) {
        String given = source.text("iceberg", "");
        boolean isUrl = StoreUrl.isUrl(given);
        try {
            return new SourceSpec.OfIceberg(
                    new IcebergOptions(
                            isUrl ? given : folder.resolve(given).normalize().toString(),
                            source.textOrNull("table"),
                            source.textOrNull("warehouse"),
                            secret(source, folder, "token"),
                            source.texts("columns", List.of()),
                            source.texts("key", List.of())));
        } catch (NoClassDefFoundError e) {
            throw new ConfigException(
                    "%s: Medley's module medley-iceberg is not on the class path: add it"
                            .formatted(source.path("iceberg")),
                    e);
        }
    }

    private SourceSpec.OfSalesforce salesforce(Section source) {
        Duration overlap =
                source.has("overlap")
                        ? Duration.ofNanos(source.duration("overlap", 0))
                        : SalesforceTable.USUAL_OVERLAP;
        SalesforceTable usual =
                SalesforceTable.of(required(source, "object", "the object, as in object: Account"));
        return new SourceSpec.OfSalesforce(
                login(source, folder),
                new SalesforceTable(
                        usual.object(),
                        source.texts("columns", List.of()),
                        overlap,
                        usual.keysEvery(),
                        events(source)),
                budget(source));
    }

    private static @Nullable ChangeEventOptions events(Section source) {
        if (source.isWord("events")) {
            return ChangeEventOptions.at(source.text("events", ""));
        }
        return source.isTrue("events") ? ChangeEventOptions.USUAL : null;
    }

    static SalesforceLogin login(Section section, Path folder) {
        return new SalesforceLogin(
                section.text("salesforce", ""),
                required(section, "client_id", "the consumer key of the connected app"),
                required(section, "user", "the user that the connected app lets in"),
                folder.resolve(required(section, "key_file", "the private key of the app")),
                SalesforceLogin.USUAL_VERSION);
    }

    static int budget(Section section) {
        String text = section.text("budget", USUAL_BUDGET_PERCENT + "%");
        return (int) Math.round(Double.parseDouble(text.replace("%", "").strip()));
    }

    /** {@code data/2026/*.csv} begins to be a pattern where the first name with a mark is. */
    private SourceSpec.Place files(Section source) {
        String given = source.text("files", "");
        int mark =
                Stream.of("*", "?", "[")
                        .mapToInt(given::indexOf)
                        .filter(i -> i >= 0)
                        .min()
                        .orElse(given.length());
        int cut = given.lastIndexOf('/', mark) + 1;
        Map<String, ColumnType> types = new HashMap<>();
        Section named = source.section("types");
        for (String column : named.keys()) {
            types.put(column, ColumnType.valueOf(named.text(column, "").toUpperCase(Locale.ROOT)));
        }
        List<String> key = source.texts("key", List.of());
        if (StoreUrl.isUrl(given)) {
            return new SourceSpec.OfStored(given, format(given), key, types);
        }
        return new SourceSpec.OfFiles(
                new FilesOptions(
                                folder.resolve(given.substring(0, cut)).normalize(),
                                given.substring(cut),
                                format(given),
                                key,
                                types)
                        .synced());
    }

    private static FileFormat format(String pattern) {
        String name = pattern.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|zst)$", "");
        if (name.endsWith(".parquet")) {
            return FileFormat.PARQUET;
        } else if (name.endsWith(".json") || name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
            return FileFormat.JSON;
        } else if (name.endsWith(".csv") || name.endsWith(".tsv")) {
            return FileFormat.CSV;
        }
        throw new ConfigException(
                "files: %s ends as none of .csv, .parquet, .json and .jsonl".formatted(pattern));
    }

    /** Reads what a loop's file says of a destination. */
    DestinationSpec destination(String name, Section given) {
        String kind = kind(given, List.of("postgres", "salesforce", "file"), "where answers go");
        String key = kind.equals("salesforce") ? "external_id" : "key";
        String there = required(given, key, "the column there that tells rows apart");
        Section columns = given.section("columns");
        return new DestinationSpec(
                name,
                switch (kind) {
                    case "postgres" ->
                            new DestinationSpec.IntoPostgres(
                                    postgres(given, List.of(), List.of()), there);
                    case "salesforce" ->
                            new DestinationSpec.IntoSalesforce(
                                    login(given, folder),
                                    required(given, "object", "the object, as in object: Lead"),
                                    there,
                                    budget(given));
                    default ->
                            new DestinationSpec.IntoFile(
                                    folder.resolve(given.text("file", "")).normalize(), there);
                },
                columns.keys().stream()
                        .map(c -> new DestinationSpec.Mapped(c, columns.text(c, "")))
                        .toList());
    }

    static @Nullable Secret secret(Section section, Path folder) {
        return secret(section, folder, "password");
    }

    private static @Nullable Secret secret(Section section, Path folder, String key) {
        String place = section.textOrNull(key);
        if (place == null) {
            return null;
        }
        return place.startsWith("file:")
                ? new Secret("file:" + folder.resolve(place.substring("file:".length())))
                : new Secret(place);
    }

    static String required(Section section, String key, String what) {
        String text = section.textOrNull(key);
        if (text == null) {
            throw new ConfigException("%s is missing: %s".formatted(section.path(key), what));
        }
        return text;
    }

    private static SchemaContract contract(Section given) {
        SchemaContract usual = SchemaContract.USUAL;
        return new SchemaContract(
                given.constant("added", SchemaMode.class, usual.added()),
                given.constant("dropped", SchemaMode.class, usual.dropped()),
                given.constant("renamed", SchemaMode.class, usual.renamed()),
                given.constant("widened", SchemaMode.class, usual.widened()),
                given.constant("narrowed", SchemaMode.class, usual.narrowed()),
                given.constant("retyped", SchemaMode.class, usual.retyped()),
                given.constant("nullability", SchemaMode.class, usual.nullability()));
    }
}
