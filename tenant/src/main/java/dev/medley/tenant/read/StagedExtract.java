package dev.medley.tenant.read;

import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Holds a caller's rows with his columns, masked, and nothing else: in the table {@code extract} of
 * a DuckDB of its own, in memory alone. What needs more memory than a DuckDB has is refused.
 *
 * <p>Thread: one.
 */
public final class StagedExtract implements AutoCloseable {
    private static final Pattern KIND =
            Pattern.compile("^([A-Z][A-Za-z ]+ Error|PostgreSQL Error: SQLSTATE \\w+)");

    private final DuckDb db;
    private final ReadDecision.Allowed decision;
    private final long rows;

    private StagedExtract(DuckDb db, ReadDecision.Allowed decision, long rows) {
        this.db = db;
        this.decision = decision;
        this.rows = rows;
    }

    /** Reads, filters and masks; {@code db} is the extract's from now on. */
    static StagedExtract of(DuckDb db, ReadDecision.Allowed decision, SourceRows source)
            throws IOException {
        try {
            // One thread: the order of rows, and so the bytes of a file, are always the same.
            db.execute("SET threads = 1");
            // Blocks that DuckDB puts on a disk hold whatever was in that memory before: rows of
            // others.
            db.execute("SET temp_directory = ''");
            source.fill(db, new ExtractSql(decision, source.columns()));
            List<String> found =
                    db.rows("SELECT count(*), min(unfit) FROM " + ExtractSql.TABLE).get(0);
            if (found.get(1) != null) {
                VisibleColumn column = decision.columns().get(Integer.parseInt(found.get(1)));
                throw new IOException(
                        "table %s: column '%s' has a value that is no %s in a row of the caller"
                                .formatted(decision.table(), column.name(), column.type()));
            }
            return new StagedExtract(db, decision, Long.parseLong(found.get(0)));
        } catch (SQLException e) {
            throw trouble(decision.table(), e);
        }
    }

    /**
     * What DuckDB says may show values of rows, of others too: only the kind of trouble is told.
     */
    private static IOException trouble(String table, SQLException e) {
        Matcher kind = KIND.matcher(String.valueOf(e.getMessage()));
        if (String.valueOf(e.getMessage()).startsWith("Out of Memory Error")) {
            return new IOException(
                    "table %s: the caller's rows need more memory than there is for one extract, 1 GB"
                            .formatted(table));
        }
        return new IOException(
                "table %s cannot be read now (%s)"
                        .formatted(table, kind.find() ? kind.group(1) : "unknown trouble"));
    }

    /** Number of rows. */
    public long rows() {
        return rows;
    }

    /** The columns, as {@code c0}, {@code c1} and so on of {@code extract}. */
    public List<VisibleColumn> columns() {
        return decision.columns();
    }

    /** What was decided. */
    public ReadDecision.Allowed decision() {
        return decision;
    }

    /** Where the table {@code extract} is. */
    public DuckDb db() {
        return db;
    }

    /** Writes everything to a file, which is not there yet. */
    void write(Path file, ExtractFormat format) throws IOException {
        List<VisibleColumn> columns = decision.columns();
        String names =
                IntStream.range(0, columns.size())
                        .mapToObj(i -> "c%d AS %s".formatted(i, DuckDb.name(columns.get(i).name())))
                        .collect(Collectors.joining(", "));
        try {
            db.execute(
                    "COPY (SELECT %s FROM %s) TO %s (%s)"
                            .formatted(
                                    names,
                                    ExtractSql.TABLE,
                                    DuckDb.text(file.toAbsolutePath().toString()),
                                    format.options()));
        } catch (SQLException e) {
            throw trouble(decision.table(), e);
        }
    }

    @Override
    public void close() throws IOException {
        db.close();
    }
}
