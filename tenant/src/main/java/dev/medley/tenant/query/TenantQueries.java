package dev.medley.tenant.query;

import dev.medley.base.ConfigException;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.expression.SqlFragment;
import dev.medley.tenant.expression.ValueType;
import dev.medley.tenant.query.QuerySql.Shown;
import dev.medley.tenant.read.PoliciesInForce;
import dev.medley.tenant.read.ReadDenied;
import dev.medley.tenant.read.ReadStop;
import dev.medley.tenant.read.StagedExtract;
import dev.medley.tenant.read.TenantTables;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions over a caller's extract, so that no question can tell him more than the extract
 * itself would. An answer depends on the extract alone, to the last bit: rows are in the extract's
 * order, groups in the order of their values, and both break ties that way.
 */
public final class TenantQueries {
    private final TenantTables tables;

    /** Over the tables of a file of policies. */
    public TenantQueries(TenantTables tables) {
        this.tables = tables;
    }

    /**
     * Answers.
     *
     * @param folder of this user alone, in which nothing stays
     * @throws ReadDenied if the caller may not read the table
     * @throws ConfigException if the question is wrong
     */
    public QueryAnswer answer(TenantCaller caller, QuerySpec query, Path folder)
            throws ReadDenied, IOException {
        try (StagedExtract extract = tables.stage(caller, query.table(), folder)) {
            return answer(extract, query);
        }
    }

    /** The same by policies that were in force when somebody looked, until somebody ends it. */
    public QueryAnswer answer(
            PoliciesInForce now, TenantCaller caller, QuerySpec query, Path folder, ReadStop stop)
            throws ReadDenied, IOException {
        try (StagedExtract extract = tables.stage(now, caller, query.table(), folder, stop)) {
            return answer(extract, query);
        }
    }

    /** Answers over an extract; several questions may be asked of one. */
    public static QueryAnswer answer(StagedExtract extract, QuerySpec query) throws IOException {
        QuerySql sql = new QuerySql(query, extract.columns());
        List<Shown> shown = sql.shown();
        SqlFragment statement = sql.statement(shown);
        try {
            extract.db().execute("SET enable_external_access = false");
            List<List<@Nullable Object>> rows = rows(extract, statement, shown);
            ConfigException.check(
                    rows.size() <= QuerySql.MOST_ROWS,
                    "the answer has more than %,d rows: give a limit, or take the whole table as a"
                            + " file",
                    QuerySql.MOST_ROWS);
            return new QueryAnswer(
                    shown.stream()
                            .map(s -> new QueryAnswer.Named(s.name(), word(s.type())))
                            .toList(),
                    rows);
        } catch (SQLException e) {
            // What DuckDB says may show values.
            throw new IOException(
                    "the query on table %s cannot be answered now".formatted(query.table()));
        }
    }

    private static List<List<@Nullable Object>> rows(
            StagedExtract extract, SqlFragment statement, List<Shown> shown) throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        long cells = 0;
        try (PreparedStatement prepared =
                extract.db().connection().prepareStatement(statement.sql())) {
            int index = 0;
            for (Object value : statement.parameters()) {
                prepared.setObject(++index, value);
            }
            try (ResultSet result = prepared.executeQuery()) {
                while (result.next()) {
                    List<@Nullable Object> row = new ArrayList<>();
                    for (int i = 0; i < shown.size(); i++) {
                        row.add(value(result.getObject(i + 1)));
                    }
                    rows.add(row);
                    cells += shown.size();
                    ConfigException.check(
                            cells <= QuerySql.MOST_CELLS,
                            "the answer has more than %,d values: ask for fewer columns, or give a"
                                    + " limit",
                            QuerySql.MOST_CELLS);
                }
            }
        }
        return rows;
    }

    private static @Nullable Object value(@Nullable Object value) {
        return value instanceof Double number && !Double.isFinite(number)
                ? (Object) number.toString()
                : value;
    }

    private static String word(ValueType type) {
        return switch (type) {
            case BOOLEAN -> "boolean";
            case INTEGER -> "integer";
            case NUMBER -> "number";
            default -> "text";
        };
    }
}
