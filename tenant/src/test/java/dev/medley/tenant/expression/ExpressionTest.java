package dev.medley.tenant.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions, right and wrong. */
@Tag("unit")
class ExpressionTest {
    private static final Map<String, ColumnValue> COLUMNS = new LinkedHashMap<>();
    private static final Map<String, ValueType> ATTRIBUTES =
            Map.of(
                    "tenant", ValueType.TEXT,
                    "level", ValueType.INTEGER,
                    "regions", ValueType.TEXTS,
                    "boss", ValueType.BOOLEAN);
    private static final Map<String, Object> CALLER =
            Map.of("tenant", "a", "level", 3L, "regions", List.of("x", "y"), "boss", true);

    static {
        COLUMNS.put("tenant", new ColumnValue(ValueType.TEXT, "\"tenant\""));
        COLUMNS.put("region", new ColumnValue(ValueType.TEXT, "\"region\""));
        COLUMNS.put("age", new ColumnValue(ValueType.INTEGER, "\"age\""));
        COLUMNS.put("spend", new ColumnValue(ValueType.NUMBER, "\"spend\""));
        COLUMNS.put("photo", new ColumnValue(ValueType.OTHER, "\"photo\""));
        COLUMNS.put("my \"own\"", new ColumnValue(ValueType.TEXT, "\"my \"\"own\"\"\""));
        COLUMNS.put("day", new ColumnValue(ValueType.DATE, "\"day\""));
    }

    private static CheckedExpression of(String text) {
        return CheckedExpression.condition(text, new ExpressionScope(COLUMNS, ATTRIBUTES));
    }

    @Test
    void shouldKeepTextsOutOfTheSql() {
        SqlFragment sql =
                of("row.tenant == caller.tenant && row.region in ['a\\'b', \"'; DROP --\"]")
                        .sql(CALLER);
        assertEquals(
                "((\"tenant\" = CAST(? AS VARCHAR)) AND (\"region\" IN (CAST(? AS VARCHAR), CAST(?"
                        + " AS VARCHAR))))",
                sql.sql());
        assertEquals(List.of("a", "a'b", "'; DROP --"), sql.parameters());
        assertEquals(
                "(\"my \"\"own\"\"\" = CAST(? AS VARCHAR))",
                of("row['my \"own\"'] == 'x'").sql(CALLER).sql());
        assertEquals(
                "CASE WHEN \"region\" IS NOT NULL THEN FALSE END",
                of("row.region in []").sql(CALLER).sql());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "row.tenat == 'a'~character 1: there is no column 'tenat'; did you mean tenant?",
                "row.tenant == caller.tenent~character 15: there is no attribute of callers"
                        + " 'tenent'; did you mean tenant?",
                "row.age == 'a'~character 9: == cannot be used with a whole number and a text",
                "row.age~character 1: the expression gives a whole number, but has to be true or"
                        + " false",
                "row.age = 3~character 9: '=' has no meaning here; equal is written ==",
                "row.age ==~character 11: a value is missing before the end",
                "(row.age == 3~character 14: ) is missing before the end",
                "row.age == 3 3~character 14: '3' comes after the end of the expression",
                "1 < row.age < 3~character 13: comparisons do not follow each other: join them with"
                        + " &&",
                "row.photo == 'x'~character 11: == cannot be used with other (bytes or a structure)"
                        + " and a text",
                "row.age in caller.regions~character 9: in cannot be used with a whole number and a"
                        + " list of texts",
                "row.region in ['a', 3]~character 21: a list has values of one kind; here are a"
                        + " text and a whole number",
                "tenant == 'a'~character 1: 'tenant' is not known here; columns are row.NAME, what"
                        + " is known of the caller is caller.NAME, texts stand in quotes",
                "rwo.age == 1~character 1: 'rwo' is not known here; did you mean row?",
                "row.age == 99999999999999999999~character 12: a whole number beyond 64 bits: write"
                        + " it with a point",
                "row.tenant == 'a~character 15: a text begins here and does not end: close it with"
                        + " '",
                "row.tеnant == 'a'~character 6: U+0435 has no meaning here; write a column of such"
                        + " a name as row['NAME']",
                "row['tеnant'] == 'a'~character 1: there is no column 't\\u{435}nant'; did you mean"
                        + " tenant?",
                "row.tenant.lower() == 'a'~character 12: there is no function .lower(); there are"
                        + " .startsWith(TEXT), .endsWith(TEXT), .contains(TEXT) and .size()",
                "row.day > date('2026-02-30')~character 16: not a time: write date('2026-01-31'),"
                        + " timestamp('2026-01-31T08:00:00') or timestamp('2026-01-31T08:00:00Z')",
                "row.age && true~character 9: && cannot be used with a whole number and true or"
                        + " false",
                "caller.regions == null~character 16: == cannot be used with a list of texts and"
                        + " null",
            })
    void shouldSayWhatIsWrongAndWhere(String text, String message) {
        assertEquals(message, assertThrows(ConfigException.class, () -> of(text)).getMessage());
    }

    @Test
    void shouldRefuseWhatIsTooDeepOrTooLongInsteadOfFailing() {
        for (String text :
                List.of(
                        "(".repeat(200) + "true" + ")".repeat(200),
                        "!".repeat(5_000) + "true",
                        "row.region in [" + "'a',".repeat(1_200) + "'a']",
                        "true || ".repeat(400) + "true")) {
            assertThrows(ConfigException.class, () -> of(text), text.substring(0, 20));
        }
        String chain = "true && ".repeat(250) + "true";
        assertTrue(of(chain).holdsFor(CALLER));
    }

    @Test
    void shouldTellOfTheCallerAlone() {
        assertTrue(of("caller.tenant in ['a', 'b'] && caller.level * 2 >= 6").holdsFor(CALLER));
        assertTrue(of("!('z' in caller.regions) && caller.boss == true").holdsFor(CALLER));
        assertFalse(of("1 / (caller.level - 3) == 0 || false").holdsFor(CALLER), "unknown");
        assertTrue(of("1 / (caller.level - 3) == 0 || true").holdsFor(CALLER));
        assertTrue(
                of("caller.tenant.startsWith('') && caller.tenant.size() == 1").holdsFor(CALLER));
    }

    /** What is said of the caller alone is computed here and in queries: both have to agree. */
    @Test
    @Tag("property")
    void shouldComputeForCallersAsQueriesDo(@TempDir Path folder) throws Exception {
        RandomGenerator random = Seeds.generator(42);
        try (DuckDb db = DuckDb.forFiles(List.of(), folder)) {
            for (int i = 0; i < 40 * Integer.getInteger("medley.seeds", 15); i++) {
                CheckedExpression drawn = of(condition(random, 3));
                assertEquals(inSql(db, drawn), drawn.holdsFor(CALLER), drawn.text());
            }
        }
    }

    private static boolean inSql(DuckDb db, CheckedExpression condition)
            throws SQLException, IOException {
        SqlFragment sql = condition.sql(CALLER);
        try (PreparedStatement query =
                db.connection()
                        .prepareStatement("SELECT coalesce(%s, false)".formatted(sql.sql()))) {
            for (int i = 0; i < sql.parameters().size(); i++) {
                query.setObject(i + 1, sql.parameters().get(i));
            }
            try (ResultSet result = query.executeQuery()) {
                result.next();
                return result.getBoolean(1);
            }
        }
    }

    private static String condition(RandomGenerator random, int depth) {
        if (depth > 0) {
            String left = condition(random, depth - 1);
            String right = condition(random, random.nextInt(depth));
            return switch (random.nextInt(4)) {
                case 0 -> "!(%s)".formatted(left);
                case 1 -> "(%s) && (%s)".formatted(left, right);
                default -> "(%s) || (%s)".formatted(left, right);
            };
        }
        String a = number(random, 2);
        String b = number(random, 2);
        List<String> signs = List.of("==", "!=", "<", "<=", ">", ">=");
        return switch (random.nextInt(6)) {
            case 0 -> "caller.boss == %s".formatted(random.nextBoolean());
            case 1 ->
                    "caller.tenant < '%s'"
                            .formatted(List.of("", "a", "\uFFFD", "𝒳").get(random.nextInt(4)));
            case 2 -> "'%s' in caller.regions".formatted(random.nextBoolean() ? "x" : "q");
            case 3 -> "%s == null".formatted(a);
            default -> "%s %s %s".formatted(a, signs.get(random.nextInt(signs.size())), b);
        };
    }

    private static String number(RandomGenerator random, int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            return List.of(
                            "0",
                            "1",
                            "-7",
                            "2.5",
                            "caller.level",
                            "9223372036854775807",
                            "9223372036854775807.0",
                            "-0.0")
                    .get(random.nextInt(8));
        }
        String left = number(random, depth - 1);
        String right = number(random, depth - 1);
        boolean isWhole =
                !left.contains(".5") && !right.contains(".5") && !(left + right).contains(".0");
        List<String> signs =
                isWhole ? List.of("+", "-", "*", "/", "%") : List.of("+", "-", "*", "/");
        return "(%s %s %s)".formatted(left, signs.get(random.nextInt(signs.size())), right);
    }
}
