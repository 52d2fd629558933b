package dev.medley.tenant.policy;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.job.Section;
import dev.medley.base.ConfigException;
import dev.medley.tenant.expression.CheckedExpression;
import dev.medley.tenant.expression.ExpressionScope;
import dev.medley.tenant.expression.ValueType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what a file of policies says of one table. */
final class TablePolicyReader {
    private static final List<String> MASKS =
            List.of("null", "hash", "drop", "constant", "last", "round");

    private final TablePlaceReader places;
    private final ColumnLookup lookup;
    private final Map<String, ValueType> attributes;

    TablePolicyReader(Path folder, ColumnLookup lookup, Map<String, ValueType> attributes) {
        this.places = new TablePlaceReader(folder, attributes);
        this.lookup = lookup;
        this.attributes = attributes;
    }

    TablePolicy read(String name, Section given) {
        TablePlace place = places.read(given);
        List<SourceColumn> source = lookup.columnsOf(place);
        List<String> names = source.stream().map(SourceColumn::name).toList();
        List<String> visible = given.texts("columns", names);
        PolicyFile.attempt(given, "columns", () -> requireKnown(visible, names));
        SeenRows[] rows = {new SeenRows.Unsaid()};
        PolicyFile.attempt(given, "rows", () -> rows[0] = rows(given, source));
        List<MaskRule> masks = masks(given, source, visible);
        return new TablePolicy(name, place, source, visible, rows[0], masks);
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
                            .formatted(
                                    each.text("with", ""),
                                    TablePlaceReader.meant(each.text("with", ""), MASKS)));
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
            check(
                    known.contains(name),
                    "the table has no column '%s'%s",
                    name,
                    TablePlaceReader.meant(name, known));
        }
        check(
                named.stream().distinct().count() == named.size(),
                "a column is named twice: name it once");
    }
}
