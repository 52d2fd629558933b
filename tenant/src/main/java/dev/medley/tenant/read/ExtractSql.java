package dev.medley.tenant.read;

import dev.medley.data.table.engine.DuckDb;
import dev.medley.tenant.expression.SqlFragment;
import dev.medley.tenant.policy.SourceColumn;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes the statements that fill the table {@code extract}: columns {@code c0}, {@code c1} and so
 * on as a caller sees them, and {@code unfit}, the number of a column whose text is not of its
 * type. Rows are filtered first; what is computed after that sees the caller's rows alone.
 */
final class ExtractSql {
    static final String TABLE = "extract";

    private final ReadDecision.Allowed decision;
    private final List<SourceColumn> source;

    ExtractSql(ReadDecision.Allowed decision, List<SourceColumn> source) {
        this.decision = decision;
        this.source = source;
    }

    /** Makes the table from a query, in the order of its rows. */
    void create(DuckDb db, String from) throws SQLException {
        run(db, "CREATE TABLE %s AS %s".formatted(TABLE, select(from)));
    }

    /** Makes it in the order of what the caller sees, for sources that have none themselves. */
    void createSorted(DuckDb db, String from) throws SQLException {
        run(db, "CREATE TABLE %s AS %s ORDER BY ALL".formatted(TABLE, select(from)));
    }

    /** Adds rows of a query. */
    void insert(DuckDb db, String from) throws SQLException {
        run(db, "INSERT INTO %s %s".formatted(TABLE, select(from)));
    }

    private String select(String from) {
        List<VisibleColumn> columns = decision.columns();
        String values =
                IntStream.range(0, columns.size())
                        .mapToObj(i -> "%s AS c%d".formatted(columns.get(i).value().sql(), i))
                        .collect(Collectors.joining(", "));
        return "SELECT %s, %s AS unfit FROM (SELECT * FROM (%s) WHERE %s)"
                .formatted(values, unfit(), from, decision.filter().sql());
    }

    private String unfit() {
        StringBuilder cases = new StringBuilder();
        for (int i = 0; i < decision.columns().size(); i++) {
            VisibleColumn column = decision.columns().get(i);
            SourceColumn from =
                    source.stream()
                            .filter(s -> s.name().equals(column.name()))
                            .findFirst()
                            .orElseThrow();
            String raw = DuckDb.name(from.name());
            if (column.isPlain() && !from.typed().equals(raw)) {
                cases.append(
                        " WHEN %s IS NOT NULL AND %s IS NULL THEN %d"
                                .formatted(raw, from.typed(), i));
            }
        }
        return cases.isEmpty()
                ? "CAST(NULL AS INTEGER)"
                : "CAST(CASE%s END AS INTEGER)".formatted(cases);
    }

    private void run(DuckDb db, String sql) throws SQLException {
        List<Object> parameters = new ArrayList<>();
        decision.columns().forEach(c -> parameters.addAll(c.value().parameters()));
        parameters.addAll(decision.filter().parameters());
        execute(db, new SqlFragment(sql, parameters));
    }

    private static void execute(DuckDb db, SqlFragment statement) throws SQLException {
        try (PreparedStatement prepared = db.connection().prepareStatement(statement.sql())) {
            int index = 0;
            for (Object value : statement.parameters()) {
                prepared.setObject(++index, value);
            }
            prepared.execute();
        }
    }
}
