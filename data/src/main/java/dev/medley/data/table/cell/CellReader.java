package dev.medley.data.table.cell;

import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.column.ColumnForm;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.duckdb.DuckDBAppender;
import org.jspecify.annotations.Nullable;

/**
 * Reads texts as the numbers of columns. Plain numbers are read here; what else a column's form may
 * be, such as dates, times and thousands, is asked of DuckDB in the words of a file's scan, so that
 * a text means the same wherever it comes from. Answers of the latest texts are remembered.
 *
 * <p>Thread: any; DuckDB is asked by one at a time.
 */
public final class CellReader implements AutoCloseable {
    private static final int REMEMBERED = 4096;

    /** Fewer are asked for one by one, of prepared questions. */
    private static final int FEWEST_TOGETHER = 4;

    /** Longer texts are remembered by nobody: a caller may send as many as it likes. */
    private static final int LONGEST_REMEMBERED = 64;

    private final DecimalMark decimal;
    private final Set<String> missing;
    private final boolean isNanMissing;
    private final Set<Double> missingNumbers = new HashSet<>();
    private final Map<String, Column> columns = new HashMap<>();
    private @Nullable Path folder;
    private @Nullable DuckDb db;

    /** What is known of a column's odd texts, and how others are asked for. */
    private static final class Column {
        private final String sql;
        private final boolean isPlain;
        private final Map<String, Double> known = new LatestTexts();
        private @Nullable PreparedStatement statement;

        Column(String sql, boolean isPlain) {
            this.sql = sql;
            this.isPlain = isPlain;
        }
    }

    private static final class LatestTexts extends LinkedHashMap<String, Double> {
        private static final long serialVersionUID = 1L;

        LatestTexts() {
            super(64, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Double> eldest) {
            return size() > REMEMBERED;
        }
    }

    /** For the columns of {@code encoding}. */
    public CellReader(TableEncoding encoding) {
        decimal = DecimalMark.of(encoding.csv());
        missing = new HashSet<>(encoding.missing());
        isNanMissing = missing.stream().anyMatch(text -> text.strip().equalsIgnoreCase("nan"));
        for (String text : missing) {
            if (DecimalMark.POINT.isNumber(text) && Double.isFinite(Double.parseDouble(text))) {
                missingNumbers.add(Double.parseDouble(text) + 0.0); // Of -0, too, it makes 0.
            }
        }
        for (Dense column : encoding.dense()) {
            String sql = ColumnForm.of(column).sql("t", decimal);
            boolean isPlain =
                    column instanceof Numeric numeric
                            && (numeric.source() == Source.NUMBER
                                    || numeric.source() == Source.THOUSANDS);
            columns.put(column.name(), new Column(sql, isPlain));
        }
    }

    /** A text without spaces around it; null where it means that there is no value. */
    public @Nullable String text(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String bare = trimmed(text);
        return bare.isEmpty() || missing.contains(bare) ? null : bare;
    }

    /** What DuckDB's trim leaves: spaces of all kinds go, tabs and other controls do not. */
    private static String trimmed(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (from < to && isSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c > 127 && Character.getType(c) == Character.SPACE_SEPARATOR);
    }

    /** A number; NaN where it is one that means that there is no value, as -999 may. */
    public double number(double value) {
        return missingNumbers.contains(value + 0.0) ? Double.NaN : value;
    }

    /**
     * The number that a column's text means, seconds since 1970 for a moment; NaN where there is no
     * value.
     *
     * @return null where the text is none of the column's form
     */
    public @Nullable Double number(Dense column, @Nullable String text) {
        return number(column, text, Map.of());
    }

    /**
     * The same where some texts were asked for before.
     *
     * @param known as {@link #ask} gave it
     */
    public @Nullable Double number(
            Dense column, @Nullable String text, Map<String, @Nullable Double> known) {
        String bare = text(text);
        if (bare == null) {
            return Double.NaN;
        }
        Double number = said(read(column), bare, known);
        // As in files: where nan is no word for a missing value, it is no number either.
        return number != null && number.isNaN() && !isNanMissing ? null : number;
    }

    private @Nullable Double said(Column read, String bare, Map<String, @Nullable Double> known) {
        if (read.isPlain && decimal.isNumber(bare)) {
            return Double.parseDouble(decimal == DecimalMark.COMMA ? bare.replace(',', '.') : bare);
        }
        return known.containsKey(bare) ? known.get(bare) : asked(read, bare);
    }

    private Column read(Dense column) {
        Column read = columns.get(column.name());
        if (read == null) {
            throw new IllegalArgumentException("no number is read of " + column.name());
        }
        return read;
    }

    /**
     * What the odd ones among a column's texts mean, by the text without spaces around it, null for
     * what is none of the column's form. Many are asked for at once, which costs as much as some.
     */
    public Map<String, @Nullable Double> ask(Dense column, Iterable<@Nullable String> texts) {
        Column read = read(column);
        Set<String> odd = new LinkedHashSet<>();
        for (String text : texts) {
            String bare = text(text);
            if (bare != null && !(read.isPlain && decimal.isNumber(bare))) {
                odd.add(bare);
            }
        }
        return odd.size() < FEWEST_TOGETHER ? Map.of() : askedTogether(read, odd);
    }

    private synchronized Map<String, @Nullable Double> askedTogether(
            Column column, Set<String> odd) {
        Map<String, @Nullable Double> found = new HashMap<>();
        List<String> unknown = new ArrayList<>();
        for (String text : odd) {
            if (column.known.containsKey(text)) {
                found.put(text, column.known.get(text));
            } else {
                unknown.add(text);
            }
        }
        if (unknown.isEmpty()) {
            return found;
        }
        try {
            Iterator<@Nullable Double> numbers = queried(column, unknown).iterator();
            for (String text : unknown) {
                Double number = numbers.next();
                found.put(text, number);
                if (text.length() <= LONGEST_REMEMBERED) {
                    column.known.put(text, number);
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("texts cannot be read: " + DuckDb.message(e), e);
        }
        return found;
    }

    private List<@Nullable Double> queried(Column column, List<String> texts) throws SQLException {
        DuckDb engine = open();
        List<@Nullable Double> numbers = new ArrayList<>();
        engine.execute("CREATE OR REPLACE TEMP TABLE cells (i INTEGER, t VARCHAR)");
        try (DuckDBAppender appender =
                engine.connection().createAppender("temp", "main", "cells")) {
            for (int i = 0; i < texts.size(); i++) {
                appender.beginRow();
                appender.append(i);
                appender.append(texts.get(i));
                appender.endRow();
            }
        }
        try (Statement statement = engine.connection().createStatement();
                ResultSet result =
                        statement.executeQuery(
                                "SELECT %s FROM cells ORDER BY i".formatted(column.sql))) {
            while (result.next()) {
                double number = result.getDouble(1);
                numbers.add(result.wasNull() ? null : Double.valueOf(number));
            }
        }
        engine.execute("DROP TABLE cells");
        return numbers;
    }

    /** What is not as the column's form has it, in words: "is not a number". */
    public String isNot(Dense column) {
        return ColumnForm.of(column).isNot(decimal);
    }

    private synchronized @Nullable Double asked(Column column, String text) {
        if (column.known.containsKey(text)) {
            return column.known.get(text);
        }
        Double found;
        try {
            found = queried(column, text);
        } catch (SQLException e) {
            throw new IllegalStateException("a text cannot be read: " + DuckDb.message(e), e);
        }
        if (text.length() <= LONGEST_REMEMBERED) {
            column.known.put(text, found);
        }
        return found;
    }

    private @Nullable Double queried(Column column, String text) throws SQLException {
        PreparedStatement statement = column.statement;
        if (statement == null) {
            statement =
                    open().connection()
                            .prepareStatement(
                                    "SELECT %s FROM (SELECT CAST(? AS VARCHAR) AS t)"
                                            .formatted(column.sql));
            column.statement = statement;
        }
        statement.setString(1, text);
        try (ResultSet result = statement.executeQuery()) {
            double number = result.next() ? result.getDouble(1) : 0;
            return result.wasNull() ? null : Double.valueOf(number);
        } catch (SQLException e) {
            column.statement = null; // It has closed itself.
            throw e;
        }
    }

    private DuckDb open() {
        DuckDb open = db;
        if (open == null) {
            try {
                Path own = Files.createTempDirectory("medley-cells");
                folder = own;
                open = DuckDb.forFiles(List.of(), own);
            } catch (IOException e) {
                throw new IllegalStateException("there is no room for temporary files: " + e, e);
            }
            db = open;
        }
        return open;
    }

    @Override
    public synchronized void close() {
        try {
            if (db != null) {
                db.close();
                db = null;
            }
            if (folder != null) {
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new IllegalStateException("a temporary folder is left behind: " + e, e);
        }
    }
}
