package dev.medley.connect.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.schema.SchemaMode;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowSink;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSchema;
import dev.medley.connect.table.TableSource;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Tag("unit")
class TableSyncTest {
    private static final Column ID = new Column("1", "id", ColumnType.INTEGER, 64, 0, false);
    private static final Column V = new Column("2", "v", ColumnType.INTEGER, 64, 0, true);

    @TempDir private Path folder;
    private Synced synced;
    private Paged source;

    @BeforeEach
    void begin() {
        synced = new Synced(folder);
        source = new Paged(new TableSchema(List.of(ID, V), List.of("id")), 10);
    }

    @Test
    void shouldGoOnBehindTheLastPageThatWasKept() throws IOException {
        source.failingPage = 6;
        assertThatThrownBy(() -> synced.sync(source)).hasMessage("cut");
        assertThat(source.pagesRead).isEqualTo(6);
        source.failingPage = 8;
        assertThatThrownBy(() -> synced.sync(source)).hasMessage("cut");
        assertThat(source.pagesRead).as("pages 6 and 7 alone").isEqualTo(6 + 2);
        source.failingPage = -1;
        SyncReport report = synced.sync(source);
        assertThat(report.rowsRead()).isEqualTo(2 * Paged.PAGE);
        assertThat(report.difference().added()).isEqualTo(10 * Paged.PAGE);
        assertThat(synced.rows()).hasSize(10 * Paged.PAGE).doesNotHaveDuplicates();
        assertThat(folder.resolve("pending")).doesNotExist();
        assertThat(synced.sync(source).difference().isNothing()).isTrue();
    }

    @Test
    void shouldBeginAnewWhenTheColumnsChangedMeanwhile() throws IOException {
        source.failingPage = 6;
        assertThatThrownBy(() -> synced.sync(source)).hasMessage("cut");
        source = new Paged(new TableSchema(List.of(ID), List.of("id")), 10);
        assertThat(synced.sync(source).rowsRead()).isEqualTo(10 * Paged.PAGE);
        assertThat(synced.reconcile(source).isEqual()).isTrue();
    }

    @Test
    void shouldBeginAnewWhenTheSourceCannotGoOn() throws IOException {
        source.failingPage = 6;
        assertThatThrownBy(() -> synced.sync(source)).hasMessage("cut");
        source.failingPage = -1;
        source.forgets = true;
        assertThat(synced.sync(source).rowsRead()).isEqualTo(10 * Paged.PAGE);
        assertThat(synced.rows()).hasSize(10 * Paged.PAGE);
    }

    @Test
    void shouldLeaveOutRowsAndValuesThatDoNotFit() throws IOException {
        Column small = new Column("2", "v", ColumnType.INTEGER, 16, 0, true);
        Paged old = new Paged(new TableSchema(List.of(ID, small), List.of("id")), 1);
        synced = new Synced(folder, widened(SchemaMode.DISCARD_VALUE));
        synced.sync(old);
        source.pages = 1;
        source.factor = 1_000;
        SyncReport report = synced.sync(source);
        assertThat(report.droppedValues()).as("above 32767").isEqualTo(Paged.PAGE - 33);
        assertThat(synced.rows()).hasSize(Paged.PAGE).contains("99 -", "32 32000");
        assertThat(synced.reconcile(source).isEqual()).isTrue();
        synced = new Synced(folder, widened(SchemaMode.DISCARD_ROW));
        report = synced.sync(source);
        assertThat(report.droppedRows()).isEqualTo(Paged.PAGE - 33);
        assertThat(synced.rows()).hasSize(33);
        assertThat(synced.reconcile(source).isEqual()).isTrue();
        synced = new Synced(folder, SchemaContract.FIXED);
        assertThatThrownBy(() -> synced.sync(source))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("integer(64), no longer integer(16)");
    }

    @Test
    void shouldRefuseTheFolderOfAnotherTable() throws IOException {
        synced.sync(source);
        source.name = "another";
        assertThatThrownBy(() -> synced.sync(source))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("holds pages, not another");
    }

    private static SchemaContract widened(SchemaMode mode) {
        SchemaMode evolve = SchemaMode.EVOLVE;
        SchemaMode freeze = SchemaMode.FREEZE;
        return new SchemaContract(evolve, freeze, evolve, mode, freeze, freeze, evolve);
    }

    /** Rows in pages, behind each of which it can go on. */
    private static final class Paged implements TableSource {
        static final int PAGE = 100;
        private final TableSchema schema;
        private int pages;
        private int factor = 1;
        private int failingPage = -1;
        private int pagesRead;
        private String name = "pages";
        private boolean forgets;

        Paged(TableSchema schema, int pages) {
            this.schema = schema;
            this.pages = pages;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public TableView open(SyncStart start) {
            return new Pages(forgets ? null : start.resume());
        }

        private final class Pages implements TableView {
            private final boolean isResumed;
            private @Nullable JsonNode resume;

            Pages(@Nullable JsonNode resume) {
                this.resume = resume;
                this.isResumed = resume != null;
            }

            @Override
            public boolean isResumed() {
                return isResumed;
            }

            @Override
            public TableSchema schema() {
                return schema;
            }

            @Override
            public Changes changes() {
                return Changes.all("pages have no order");
            }

            @Override
            public void rows(Changes.Rows which, RowSink sink) throws IOException {
                int first = resume == null ? 0 : resume.asInt();
                resume = null;
                for (int page = first; page < pages; page++) {
                    if (page == failingPage) {
                        throw new IOException("cut");
                    }
                    pagesRead++;
                    sink.accept(page(page));
                    sink.resumable(Json.tree(page + 1));
                }
            }

            private RowBatch page(int page) {
                RowBatch batch = new RowBatch(schema.columns(), PAGE);
                for (long id = (long) page * PAGE; id < (page + 1L) * PAGE; id++) {
                    int row = batch.add();
                    batch.column(0).setLong(row, id);
                    if (schema.columns().size() > 1) {
                        batch.column(1).setLong(row, id * factor);
                    }
                }
                return batch;
            }

            @Override
            public void keys(RowSink sink) {
                throw new IllegalStateException("not asked for");
            }

            @Override
            public JsonNode position() {
                return Json.tree("end");
            }

            @Override
            public void close() {}
        }
    }
}
