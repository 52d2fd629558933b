package dev.medley.connect.salesforce.fake;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs the part of SOQL that loads tables: one object, conditions, an order, a limit. */
final class FakeSoql {
    private static final Pattern TOKEN =
            Pattern.compile(
                    "'(?:[^'\\\\]|\\\\.)*'|\\d{4}-\\d\\d-\\d\\d(?:T[0-9:.]+(?:Z|[+-]\\d\\d:?\\d\\d))?"
                        + "|-?\\d+(?:\\.\\d+)?|[A-Za-z_][\\w.]*|<=|>=|!=|<|>|=|\\(|\\)|,");

    private final FakeOrg org;
    private final List<String> tokens = new ArrayList<>();
    private int at;

    private FakeSoql(FakeOrg org, String soql) {
        this.org = org;
        Matcher matcher = TOKEN.matcher(soql);
        while (matcher.find()) {
            tokens.add(matcher.group());
        }
    }

    /** Rows as texts; {@code isCount} where only their number was asked for. */
    record Result(
            FakeTable table,
            List<FakeField> fields,
            List<Map<String, @Nullable String>> rows,
            boolean isCount) {}

    static Result run(FakeOrg org, String soql, Deleted deleted) {
        synchronized (org) {
            return new FakeSoql(org, soql).run(deleted);
        }
    }

    /** Whether records in the bin are seen. */
    enum Deleted {
        HIDDEN,
        SHOWN
    }

    private Result run(Deleted deleted) {
        expect("SELECT");
        List<String> names = new ArrayList<>();
        boolean isCount = false;
        do {
            String name = next();
            if (name.equalsIgnoreCase("COUNT")) {
                expect("(");
                expect(")");
                isCount = true;
            } else {
                names.add(name);
            }
        } while (skip(","));
        expect("FROM");
        FakeTable table = org.table(next());
        List<FakeField> fields = names.stream().map(table::field).toList();
        Predicate<Map<String, @Nullable String>> where =
                skip("WHERE") ? either(table) : row -> true;
        List<Map<String, @Nullable String>> rows = new ArrayList<>();
        for (Map<String, @Nullable String> row : table.all()) {
            boolean isSeen = deleted == Deleted.SHOWN || !"true".equals(row.get("IsDeleted"));
            isSeen &= !org.hidden.test(String.valueOf(row.get("Id")));
            if (isSeen && where.test(row)) {
                rows.add(new java.util.LinkedHashMap<>(row));
            }
        }
        if (skip("ORDER")) {
            expect("BY");
            rows.sort(order(table));
        }
        if (skip("LIMIT")) {
            int limit = Integer.parseInt(next());
            rows = rows.subList(0, Math.min(limit, rows.size()));
        }
        if (at < tokens.size()) {
            throw malformed("unexpected token: " + tokens.get(at));
        }
        return new Result(table, fields, rows, isCount);
    }

    private Comparator<Map<String, @Nullable String>> order(FakeTable table) {
        @Nullable Comparator<Map<String, @Nullable String>> order = null;
        do {
            FakeField field = table.field(next());
            Comparator<Map<String, @Nullable String>> one =
                    (a, b) -> compare(field, a.get(field.name()), b.get(field.name()));
            if (skip("DESC")) {
                one = one.reversed();
            } else {
                skip("ASC");
            }
            order = order == null ? one : order.thenComparing(one);
        } while (skip(","));
        return order;
    }

    private Predicate<Map<String, @Nullable String>> either(FakeTable table) {
        Predicate<Map<String, @Nullable String>> all = both(table);
        while (skip("OR")) {
            all = all.or(both(table));
        }
        return all;
    }

    private Predicate<Map<String, @Nullable String>> both(FakeTable table) {
        Predicate<Map<String, @Nullable String>> all = condition(table);
        while (skip("AND")) {
            all = all.and(condition(table));
        }
        return all;
    }

    private Predicate<Map<String, @Nullable String>> condition(FakeTable table) {
        if (skip("(")) {
            Predicate<Map<String, @Nullable String>> inner = either(table);
            expect(")");
            return inner;
        }
        FakeField field = table.field(next());
        String operator = next().toUpperCase(Locale.ROOT);
        if (operator.equals("IN")) {
            expect("(");
            List<@Nullable String> values = new ArrayList<>();
            do {
                values.add(literal());
            } while (skip(","));
            expect(")");
            return row -> values.contains(row.get(field.name()));
        }
        String value = literal();
        return row -> {
            String found = row.get(field.name());
            if (found == null || value == null) {
                boolean same = found == null && value == null;
                return operator.equals("=") ? same : operator.equals("!=") && !same;
            }
            int order = compare(field, found, value);
            return switch (operator) {
                case "=" -> order == 0;
                case "!=" -> order != 0;
                case "<" -> order < 0;
                case ">" -> order > 0;
                case "<=" -> order <= 0;
                case ">=" -> order >= 0;
                default -> throw malformed("unexpected token: " + operator);
            };
        };
    }

    private static int compare(FakeField field, @Nullable String a, @Nullable String b) {
        if (a == null || b == null) {
            return Boolean.compare(a != null, b != null);
        }
        if (field.type().equals("datetime")) {
            return moment(a).compareTo(moment(b));
        }
        return field.isNumber() ? new BigDecimal(a).compareTo(new BigDecimal(b)) : a.compareTo(b);
    }

    private static Instant moment(String text) {
        return OffsetDateTime.parse(text.replaceFirst("([+-]\\d\\d)(\\d\\d)$", "$1:$2"))
                .toInstant();
    }

    private @Nullable String literal() {
        String token = next();
        if (token.startsWith("'")) {
            return token.substring(1, token.length() - 1).replaceAll("\\\\(.)", "$1");
        }
        return token.equalsIgnoreCase("null") ? null : token;
    }

    private String next() {
        if (at >= tokens.size()) {
            throw malformed("unexpected token: '<EOF>'");
        }
        return tokens.get(at++);
    }

    private boolean skip(String word) {
        boolean isThere = at < tokens.size() && tokens.get(at).equalsIgnoreCase(word);
        at += isThere ? 1 : 0;
        return isThere;
    }

    private void expect(String word) {
        if (!skip(word)) {
            throw malformed(
                    "unexpected token: " + (at < tokens.size() ? tokens.get(at) : "'<EOF>'"));
        }
    }

    private static FakeRefusal malformed(String message) {
        return new FakeRefusal(400, "MALFORMED_QUERY", message);
    }
}
