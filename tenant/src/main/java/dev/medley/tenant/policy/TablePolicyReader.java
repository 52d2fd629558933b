package dev.medley.tenant.policy;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.job.Section;
import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.connect.files.FileFormat;
import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.postgres.PostgresOptions;
import dev.medley.connect.table.ColumnType;
import dev.medley.tenant.expression.CheckedExpression;
import dev.medley.tenant.expression.ExpressionScope;
import dev.medley.tenant.expression.ValueType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what a file of policies says of one table. */
final class TablePolicyReader {
    private static final List<String> KINDS = List.of("files", "snapshot", "postgres");
    private static final List<String> MASKS =
            List.of("null", "hash", "drop", "constant", "last", "round");
    private static final long STATEMENT_TIMEOUT_NS = Duration.ofMinutes(10).toNanos();

    private final Path folder;
    private final ColumnLookup lookup;
    private final Map<String, ValueType> attributes;

    TablePolicyReader(Path folder, ColumnLookup lookup, Map<String, ValueType> attributes) {
        this.folder = folder;
        this.lookup = lookup;
        this.attributes = attributes;
    }

    TablePolicy read(String name, Section given) {
        List<String> there = KINDS.stream().filter(given::has).toList();
        check(
                there.size() == 1,
                "%s; say one of %s",
                there.isEmpty()
                        ? "it does not say where the table is"
                        : "it says " + String.join(" and ", there),
                String.join(", ", KINDS));
        refuseStrange(given, there.get(0));
        TablePlace place =
                switch (there.get(0)) {
                    case "files" -> new TablePlace.OfFiles(files(given));
                    case "snapshot" ->
                            new TablePlace.OfSnapshot(
                                    folder.resolve(given.text("snapshot", "")).normalize());
                    default -> postgres(given);
                };
        List<SourceColumn> source = lookup.columnsOf(place);
        List<String> names = source.stream().map(SourceColumn::name).toList();
        List<String> visible = given.texts("columns", names);
        PolicyFile.attempt(given, "columns", () -> requireKnown(visible, names));
        SeenRows[] rows = {new SeenRows.Unsaid()};
        PolicyFile.attempt(given, "rows", () -> rows[0] = rows(given, source));
        List<MaskRule> masks = masks(given, source, visible);
        return new TablePolicy(name, place, source, visible, rows[0], masks);
    }

    /** Keys that belong to tables of another kind. */
    private static void refuseStrange(Section given, String kind) {
        Map<String, String> owners = new LinkedHashMap<>();
        owners.put("types", "files");
        Stream.of("user", "password", "table", "role", "settings")
                .forEach(k -> owners.put(k, "postgres"));
        owners.forEach(
                (key, owner) -> {
                    if (given.has(key) && !owner.equals(kind)) {
                        given.complain(
                                key,
                                "%s belongs to %s:, but the table is said by %s: remove it"
                                        .formatted(given.path(key), owner, kind));
                    }
                });
    }

    /** {@code data/2026/*.csv} begins to be a pattern where the first name with a mark is. */
    private FilesOptions files(Section given) {
        String pattern = given.text("files", "");
        int mark =
                Stream.of("*", "?", "[")
                        .mapToInt(pattern::indexOf)
                        .filter(i -> i >= 0)
                        .min()
                        .orElse(pattern.length());
        int cut = pattern.lastIndexOf('/', mark) + 1;
        Map<String, ColumnType> types = new HashMap<>();
        Section named = given.section("types");
        for (String column : named.keys()) {
            types.put(column, ColumnType.valueOf(named.text(column, "").toUpperCase(Locale.ROOT)));
        }
        return new FilesOptions(
                folder.resolve(pattern.substring(0, cut)).normalize(),
                pattern.substring(cut),
                format(pattern),
                List.of(),
                types);
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
        check(given.has("table"), "table is missing: as in table: public.customers");
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

    private SeenRows rows(Section given, List<SourceColumn> source) {
        String text = given.textOrNull("rows");
        if (text == null) {
            return new SeenRows.Unsaid();
        }
        return text.strip().equals("all")
                ? new SeenRows.All()
                : new SeenRows.Where(CheckedExpression.condition(text, scope(source, attributes)));
    }

    private static ExpressionScope scope(
            List<SourceColumn> source, Map<String, ValueType> attributes) {
        Map<String, dev.medley.tenant.expression.ColumnValue> columns = new LinkedHashMap<>();
        source.forEach(c -> columns.put(c.name(), c.value()));
        return new ExpressionScope(columns, attributes);
    }

    private List<MaskRule> masks(Section given, List<SourceColumn> source, List<String> visible) {
        List<MaskRule> masks = new ArrayList<>();
        Map<String, Integer> masked = new HashMap<>();
        int number = 0;
        for (Section each : given.sections("masks")) {
            int own = ++number;
            PolicyFile.attempt(
                    each,
                    "columns",
                    () -> {
                        MaskRule rule = mask(each, source, visible);
                        for (String column : rule.columns()) {
                            Integer before = masked.putIfAbsent(column, own);
                            check(
                                    before == null,
                                    "column '%s' is masked by mask %d already: one mask says what"
                                            + " stands in its place",
                                    column,
                                    before);
                        }
                        masks.add(rule);
                    });
        }
        return masks;
    }

    private MaskRule mask(Section each, List<SourceColumn> source, List<String> visible) {
        List<String> columns = each.texts("columns", List.of());
        List<String> names = source.stream().map(SourceColumn::name).toList();
        requireKnown(columns, names);
        for (String column : columns) {
            check(
                    visible.contains(column),
                    "column '%s' is masked, but columns: shows it to nobody: remove one of both",
                    column);
        }
        ColumnMask mask = maskKind(each);
        if (mask == null) {
            throw new ConfigException(
                    "with: '%s' is no mask%s"
                            .formatted(each.text("with", ""), meant(each.text("with", ""), MASKS)));
        }
        for (SourceColumn column : source) {
            if (columns.contains(column.name())) {
                requireFits(mask, column);
            }
        }
        String unless = each.textOrNull("unless");
        @Nullable CheckedExpression[] who = {null};
        if (unless != null) {
            PolicyFile.attempt(
                    each,
                    "unless",
                    () ->
                            who[0] =
                                    CheckedExpression.condition(
                                            unless, new ExpressionScope(Map.of(), attributes)));
        }
        return new MaskRule(columns, who[0], mask);
    }

    private static @Nullable ColumnMask maskKind(Section each) {
        Section form = each.section("with");
        if (form.has("constant")) {
            return new ColumnMask.Constant(form.text("constant", ""));
        } else if (form.has("last")) {
            return new ColumnMask.Last(form.count("last", 0));
        } else if (form.has("round")) {
            return new ColumnMask.Rounded(form.count("round", 0));
        } else if (each.written("with").isNull()) {
            return new ColumnMask.Empty();
        }
        return switch (each.text("with", "")) {
            case "null" -> new ColumnMask.Empty();
            case "hash" -> new ColumnMask.Hashed();
            case "drop" -> new ColumnMask.Dropped();
            default -> null;
        };
    }

    private static void requireFits(ColumnMask mask, SourceColumn column) {
        ValueType kind = column.kind();
        check(
                !(mask instanceof ColumnMask.Rounded)
                        || kind == ValueType.INTEGER
                        || kind == ValueType.NUMBER,
                "column '%s' is %s, which cannot be rounded",
                column.name(),
                kind.words());
        check(
                !(mask instanceof ColumnMask.Rounded rounded) || rounded.digits() < column.digits(),
                "column '%s' is %s, of which rounding to so many digits shows everything: round to"
                        + " fewer",
                column.name(),
                column.type());
        check(
                !(mask instanceof ColumnMask.Last) || kind == ValueType.TEXT,
                "column '%s' is %s, of which last: shows nothing: it is for texts",
                column.name(),
                kind.words());
        check(
                !(mask instanceof ColumnMask.Hashed) || kind != ValueType.OTHER,
                "column '%s' is %s, which is not hashed: drop it",
                column.name(),
                kind.words());
    }

    private static void requireKnown(List<String> named, List<String> known) {
        for (String name : named) {
            check(known.contains(name), "the table has no column '%s'%s", name, meant(name, known));
        }
        check(
                named.stream().distinct().count() == named.size(),
                "a column is named twice: name it once");
    }

    private static String meant(String word, List<String> known) {
        return DidYouMean.of(word, known)
                .map("; did you mean %s?"::formatted)
                .orElse("; there are " + String.join(", ", known));
    }
}
