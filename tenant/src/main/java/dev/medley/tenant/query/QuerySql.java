package dev.medley.tenant.query;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.tenant.expression.CheckedExpression;
import dev.medley.tenant.expression.ColumnValue;
import dev.medley.tenant.expression.ExpressionScope;
import dev.medley.tenant.expression.SqlFragment;
import dev.medley.tenant.expression.ValueType;
import dev.medley.tenant.policy.SourceColumn;
import dev.medley.tenant.read.VisibleColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes a question as SQL over an extract. Of the question's own words only whole numbers stand in
 * it; columns are those of the extract by their numbers, values are parameters.
 */
final class QuerySql {
    /** More rows are refused, not cut off. */
    static final long MOST_ROWS = 100_000;

    /** More values are refused as well. */
    static final long MOST_CELLS = 2_000_000;

    private final QuerySpec query;
    private final Map<String, ColumnValue> columns = new LinkedHashMap<>();

    QuerySql(QuerySpec query, List<VisibleColumn> visible) {
        this.query = query;
        for (int i = 0; i < visible.size(); i++) {
            SourceColumn column = new SourceColumn("c" + i, visible.get(i).type(), false);
            columns.put(visible.get(i).name(), column.value());
        }
    }

    /** One column of the answer. */
    record Shown(String name, ValueType type, String sql) {}

    /** What the answer has. */
    List<Shown> shown() {
        if (!query.isGrouped()) {
            Stream<String> names =
                    query.columns().isEmpty()
                            ? columns.keySet().stream()
                            : query.columns().stream();
            return names.map(n -> shown("columns", n)).toList();
        }
        List<Shown> shown = new ArrayList<>();
        for (String name : query.groupBy()) {
            Shown group = shown("group_by", name);
            ConfigException.check(
                    group.type() != ValueType.OTHER,
                    "group_by: column '%s' is %s, by which nothing is grouped",
                    name,
                    group.type().words());
            shown.add(group);
        }
        query.aggregates().forEach(a -> shown.add(aggregate(a)));
        return shown;
    }

    private Shown shown(String key, String name) {
        ColumnValue value = column(key, name);
        return new Shown(name, value.type(), value.sql());
    }

    private Shown aggregate(Aggregate aggregate) {
        AggregateKind kind = aggregate.kind();
        if (aggregate.column().equals(Aggregate.ROWS)) {
            return new Shown(aggregate.name(), ValueType.INTEGER, "count(*)");
        }
        ColumnValue value = column("aggregates", aggregate.column());
        ConfigException.check(
                kind.takes(value.type()),
                "aggregates: there is no %s of column '%s', which is %s",
                kind.word(),
                aggregate.column(),
                value.type().words());
        ValueType type =
                switch (kind) {
                    case COUNT, COUNT_DISTINCT -> ValueType.INTEGER;
                    case MEAN -> ValueType.NUMBER;
                    case SUM, MIN, MAX -> value.type();
                };
        return new Shown(aggregate.name(), type, kind.sql(value.sql()));
    }

    private ColumnValue column(String key, String name) {
        ColumnValue value = columns.get(name);
        if (value == null) {
            String hint =
                    DidYouMean.of(name, columns.keySet())
                            .map("; did you mean %s?"::formatted)
                            .orElse("; there are " + String.join(", ", columns.keySet()));
            throw new ConfigException("%s: there is no such column%s".formatted(key, hint));
        }
        return value;
    }

    /**
     * The whole statement; one row more than are allowed is asked for, to see that there is one.
     */
    SqlFragment statement(List<Shown> shown) {
        String values = shown.stream().map(QuerySql::text).collect(Collectors.joining(", "));
        SqlFragment where = where();
        StringBuilder sql =
                new StringBuilder("SELECT %s FROM extract WHERE %s".formatted(values, where.sql()));
        List<String> order = order(shown);
        if (query.isGrouped()) {
            List<String> groups =
                    query.groupBy().stream().map(n -> column("group_by", n).sql()).toList();
            if (!groups.isEmpty()) {
                sql.append(" GROUP BY ").append(String.join(", ", groups));
            }
            groups.forEach(g -> order.add(g + " ASC NULLS LAST"));
        } else {
            order.add("rowid");
        }
        if (!order.isEmpty()) {
            sql.append(" ORDER BY ").append(String.join(", ", order));
        }
        Long limit = query.limit();
        sql.append(" LIMIT ")
                .append(limit == null ? MOST_ROWS + 1 : Math.min(limit, MOST_ROWS + 1));
        return new SqlFragment(sql.toString(), where.parameters());
    }

    private SqlFragment where() {
        String text = query.where();
        if (text == null) {
            return new SqlFragment("TRUE", List.of());
        }
        try {
            return CheckedExpression.condition(text, new ExpressionScope(columns, Map.of()))
                    .sql(Map.of());
        } catch (ConfigException e) {
            throw new ConfigException("where: " + e.getMessage(), e);
        }
    }

    private List<String> order(List<Shown> shown) {
        List<String> order = new ArrayList<>();
        for (OrderTerm term : query.orderBy()) {
            Map<String, Shown> known = new LinkedHashMap<>();
            shown.forEach(s -> known.put(s.name(), s));
            Shown by =
                    known.containsKey(term.column()) || query.isGrouped()
                            ? known.get(term.column())
                            : shown("order_by", term.column());
            if (by == null) {
                throw new ConfigException(
                        "order_by: the answer has no such column; it has "
                                + String.join(", ", known.keySet()));
            }
            ConfigException.check(
                    by.type() != ValueType.OTHER,
                    "order_by: column '%s' is %s, which has no order",
                    by.name(),
                    by.type().words());
            order.add("%s %s NULLS LAST".formatted(by.sql(), term.direction()));
        }
        return order;
    }

    /** Whatever has no number or truth in JSON is read as text. */
    private static String text(Shown shown) {
        return switch (shown.type()) {
            case BOOLEAN, INTEGER, NUMBER -> shown.sql();
            default -> "CAST(%s AS VARCHAR)".formatted(shown.sql());
        };
    }
}
