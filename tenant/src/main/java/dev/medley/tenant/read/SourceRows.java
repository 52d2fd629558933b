package dev.medley.tenant.read;

import dev.medley.data.table.engine.DuckDb;
import dev.medley.tenant.policy.SourceColumn;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Gives the rows of a shared table to an extract. */
interface SourceRows extends AutoCloseable {
    /** The columns that the table has now. */
    List<SourceColumn> columns();

    /** Fills the extract; nothing but it is left in {@code db}. */
    void fill(DuckDb db, ExtractSql extract) throws SQLException, IOException;

    @Override
    void close() throws IOException;
}
