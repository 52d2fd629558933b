package dev.medley.data.table.fit;

import dev.medley.data.table.engine.DuckDb;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Maps the texts of a category to the codes of its values. DuckDB turns texts to codes by an ENUM
 * of the texts that occur; several texts may be the same value.
 */
public final class Dictionary {
    /** The code of a missing value. */
    public static final int MISSING = -1;

    /** The code of a value that is not among the values. */
    public static final int UNKNOWN = -2;

    private final String type;
    private final List<String> values;
    private final int[] valueOfText;

    private Dictionary(String type, List<String> values, int[] valueOfText) {
        this.type = type;
        this.values = List.copyOf(values);
        this.valueOfText = valueOfText;
    }

    /**
     * All texts of an expression over a table. A value has the shortest of its texts, and values
     * are in code point order; if all are numbers, in theirs.
     *
     * @param key the same for texts that are the same value
     */
    public static Dictionary of(
            DuckDb db, String type, String table, String sql, UnaryOperator<String> key) {
        List<String> texts = new ArrayList<>();
        scan(db, table, sql, texts::add);
        Map<String, List<String>> groups = new HashMap<>();
        for (String text : texts) {
            groups.computeIfAbsent(key.apply(text), k -> new ArrayList<>()).add(text);
        }
        Map<String, String> keyOfName = new TreeMap<>(Dictionary::byCodePoint);
        groups.forEach((k, same) -> keyOfName.put(name(same), k));
        List<String> values = new ArrayList<>(keyOfName.keySet());
        if (groups.keySet().stream().allMatch(Dictionary::isNumber)) {
            values.sort(Comparator.comparing(v -> new BigDecimal(keyOfName.get(v))));
        }
        Map<String, Integer> codes = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            codes.put(keyOfName.get(values.get(i)), i);
        }
        Map<String, Integer> valueOf = new LinkedHashMap<>();
        texts.forEach(text -> valueOf.put(text, codes.get(key.apply(text))));
        return of(db, type, values, valueOf);
    }

    /**
     * Given values, as the texts of an expression over a table write them. A text is the value that
     * it equals, else the only one with its key.
     *
     * @param keys the same for texts that are the same value, the narrowest first
     */
    public static Dictionary of(
            DuckDb db,
            String type,
            List<String> values,
            String table,
            String sql,
            List<UnaryOperator<String>> keys) {
        List<UnaryOperator<String>> all = new ArrayList<>();
        all.add(UnaryOperator.identity());
        all.addAll(keys);
        List<Map<String, Integer>> known = new ArrayList<>();
        for (UnaryOperator<String> key : all) {
            Map<String, Integer> byKey = new HashMap<>();
            for (int i = 0; i < values.size(); i++) {
                byKey.merge(key.apply(values.get(i)), i, (a, b) -> UNKNOWN);
            }
            known.add(byKey);
        }
        Map<String, Integer> valueOf = new LinkedHashMap<>();
        scan(
                db,
                table,
                sql,
                text -> {
                    int value = UNKNOWN;
                    for (int k = 0; k < all.size() && value == UNKNOWN; k++) {
                        value = known.get(k).getOrDefault(all.get(k).apply(text), UNKNOWN);
                    }
                    if (value != UNKNOWN) {
                        valueOf.put(text, value);
                    }
                });
        return of(db, type, values, valueOf);
    }

    private static Dictionary of(
            DuckDb db, String type, List<String> values, Map<String, Integer> valueOf) {
        if (!valueOf.isEmpty()) {
            String texts =
                    valueOf.keySet().stream().map(DuckDb::text).collect(Collectors.joining(", "));
            try {
                db.execute("CREATE TYPE %s AS ENUM (%s)".formatted(type, texts));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
        return new Dictionary(
                type, values, valueOf.values().stream().mapToInt(Integer::intValue).toArray());
    }

    /** The different texts in code point order. */
    private static void scan(
            DuckDb db, String table, String sql, java.util.function.Consumer<String> each) {
        String query =
                "SELECT v FROM (SELECT DISTINCT %s AS v FROM %s) WHERE v IS NOT NULL ORDER BY v"
                        .formatted(sql, table);
        try (Statement statement = db.connection().createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                each.accept(result.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    private static String name(List<String> same) {
        return same.stream().min(Comparator.comparingInt(String::length)).orElseThrow();
    }

    private static boolean isNumber(String key) {
        return CategoryKey.isNumber(key);
    }

    private static int byCodePoint(String a, String b) {
        return Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
    }

    /** The values in code order. */
    public List<String> values() {
        return values;
    }

    /**
     * The code of a text as an INTEGER that is never NULL: {@link #MISSING}, {@link #UNKNOWN}, or
     * the place of the text, for {@link #toValues}.
     */
    String code(String sql) {
        if (valueOfText.length == 0) {
            return "CASE WHEN %s IS NULL THEN %d ELSE %d END".formatted(sql, MISSING, UNKNOWN);
        }
        return ("CASE WHEN %1$s IS NULL THEN %2$d"
                        + " ELSE coalesce(CAST(enum_code(TRY_CAST(%1$s AS %3$s)) AS INTEGER), %4$d)"
                        + " END")
                .formatted(sql, MISSING, type, UNKNOWN);
    }

    /**
     * The code of a text's value as an INTEGER that is never NULL: {@link #MISSING}, {@link
     * #UNKNOWN}, or its place among {@link #values}.
     */
    public String value(String sql) {
        boolean isSame = true;
        for (int text = 0; text < valueOfText.length; text++) {
            isSame &= valueOfText[text] == text;
        }
        return isSame
                ? code(sql)
                : ("CASE WHEN %1$s IS NULL THEN %2$d ELSE coalesce(CAST(list_extract(%3$s,"
                                + " 1 + CAST(enum_code(TRY_CAST(%1$s AS %4$s)) AS INTEGER)) AS"
                                + " INTEGER), %5$d) END")
                        .formatted(sql, MISSING, Arrays.toString(valueOfText), type, UNKNOWN);
    }

    /** Its texts are forgotten, so that its type may be made again. */
    public void forget(DuckDb db) {
        try {
            db.execute("DROP TYPE IF EXISTS " + type);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Puts the codes of values in the place of those of texts. */
    void toValues(int[] codes, int rows) {
        for (int row = 0; row < rows; row++) {
            if (codes[row] >= 0) {
                codes[row] = valueOfText[codes[row]];
            }
        }
    }
}
