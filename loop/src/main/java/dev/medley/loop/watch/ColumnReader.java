package dev.medley.loop.watch;

import dev.medley.base.ConfigException;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.column.CategoryProfile;
import dev.medley.loop.column.NumberProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads columns of Parquet files: whole windows for monitors, or in one pass and bounded memory
 * what is kept of them. Times are no columns to watch: they go on by themselves.
 *
 * <p>Thread: one.
 */
public final class ColumnReader implements AutoCloseable {
    private static final int PART_ROWS = 1 << 16;

    private static final Set<String> NUMBERS =
            Set.of(
                    "TINYINT",
                    "SMALLINT",
                    "INTEGER",
                    "BIGINT",
                    "HUGEINT",
                    "UTINYINT",
                    "USMALLINT",
                    "UINTEGER",
                    "UBIGINT",
                    "FLOAT",
                    "DOUBLE",
                    "DECIMAL");
    private static final Set<String> CATEGORIES = Set.of("VARCHAR", "BOOLEAN", "ENUM");

    private final DuckDb db;

    /** Takes part after part of a column. */
    private interface Parts {
        void take(List<@Nullable Object> rows, long first);
    }

    /** The engine keeps files of its own below {@code scratch} for a while. */
    public ColumnReader(Path scratch) throws IOException {
        this.db = DuckDb.forFiles(List.of(), scratch.resolve("columns"));
    }

    /**
     * The columns of a file that can be watched, in its order, and whether they have numbers.
     *
     * @param leftOut columns that are not wanted
     */
    public Map<String, Boolean> columns(Path file, Set<String> leftOut) {
        String sql = "DESCRIBE SELECT * FROM read_parquet(%s)".formatted(DuckDb.path(file));
        Map<String, Boolean> columns = new LinkedHashMap<>();
        try {
            for (List<String> row : db.rows(sql)) {
                String type = row.get(1).replaceFirst("\\(.*", "");
                boolean isNumber = NUMBERS.contains(type);
                if (!leftOut.contains(row.get(0)) && (isNumber || CATEGORIES.contains(type))) {
                    columns.put(row.get(0), isNumber);
                }
            }
        } catch (SQLException e) {
            throw failed(file, e);
        }
        return columns;
    }

    /**
     * What is kept of a column of numbers.
     *
     * @param part a number that no other file has whose rows are put together with these
     */
    public KeptColumn keptNumbers(Path file, String column, long part) {
        int limit = NumberProfile.USUAL_LIMIT;
        NumberProfile[] all = {NumberProfile.none(limit)};
        read(
                file,
                column,
                "DOUBLE",
                (rows, first) ->
                        all[0] = all[0].merge(NumberProfile.of(numbers(rows), part, first, limit)));
        return KeptColumn.of(column, all[0]);
    }

    /** What is kept of a column of categories. */
    public KeptColumn keptCategories(Path file, String column) {
        int limit = CategoryProfile.USUAL_LIMIT;
        CategoryProfile[] all = {CategoryProfile.none(limit)};
        read(
                file,
                column,
                "VARCHAR",
                (rows, first) -> all[0] = all[0].merge(CategoryProfile.of(texts(rows), limit)));
        return KeptColumn.of(column, all[0]);
    }

    /** All numbers of a column; NaN where there is none. */
    public double[] numbers(Path file, String column) {
        List<@Nullable Object> all = new ArrayList<>();
        read(file, column, "DOUBLE", (rows, first) -> all.addAll(rows));
        return numbers(all);
    }

    /** All texts of a column; null where there is none. */
    public List<@Nullable String> texts(Path file, String column) {
        List<@Nullable Object> all = new ArrayList<>();
        read(file, column, "VARCHAR", (rows, first) -> all.addAll(rows));
        return texts(all);
    }

    private void read(Path file, String column, String type, Parts parts) {
        String sql =
                "SELECT CAST(%s AS %s) FROM read_parquet(%s)"
                        .formatted(DuckDb.name(column), type, DuckDb.path(file));
        try (Statement statement = db.connection().createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            List<@Nullable Object> rows = new ArrayList<>();
            long first = 0;
            while (found.next()) {
                rows.add(found.getObject(1));
                if (rows.size() == PART_ROWS) {
                    parts.take(rows, first);
                    first += rows.size();
                    rows = new ArrayList<>();
                }
            }
            parts.take(rows, first);
        } catch (SQLException e) {
            throw failed(file, e);
        }
    }

    private static double[] numbers(List<@Nullable Object> rows) {
        double[] numbers = new double[rows.size()];
        Arrays.setAll(numbers, i -> rows.get(i) instanceof Double number ? number : Double.NaN);
        return numbers;
    }

    private static List<@Nullable String> texts(List<@Nullable Object> rows) {
        List<@Nullable String> texts = new ArrayList<>();
        rows.forEach(row -> texts.add(row == null ? null : row.toString()));
        return texts;
    }

    private static ConfigException failed(Path file, SQLException e) {
        return new ConfigException("%s: %s".formatted(file, DuckDb.message(e)), e);
    }

    @Override
    public void close() throws IOException {
        db.close();
    }
}
