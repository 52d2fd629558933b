package dev.medley.connect.postgres;

import dev.medley.connect.table.Changes;
import dev.medley.connect.table.RowSink;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSchema;
import dev.medley.connect.table.TableSource;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/** Does something at the n-th batch that another source hands over, such as to cut the line. */
final class CutSource implements TableSource {
    private final TableSource source;
    private final Runnable cut;
    private int batchesLeft;

    CutSource(TableSource source, int batches, Runnable cut) {
        this.source = source;
        this.batchesLeft = batches;
        this.cut = cut;
    }

    @Override
    public String name() {
        return source.name();
    }

    @Override
    public TableView open(SyncStart start) throws IOException {
        TableView view = source.open(start);
        return new TableView() {
            @Override
            public TableSchema schema() {
                return view.schema();
            }

            @Override
            public Changes changes() throws IOException {
                return view.changes();
            }

            @Override
            public void rows(Changes.Rows which, RowSink sink) throws IOException {
                view.rows(which, cutting(sink));
            }

            @Override
            public void keys(RowSink sink) throws IOException {
                view.keys(cutting(sink));
            }

            @Override
            public JsonNode position() {
                return view.position();
            }

            @Override
            public void close() throws IOException {
                view.close();
            }
        };
    }

    private RowSink cutting(RowSink sink) {
        return batch -> {
            if (--batchesLeft == 0) {
                cut.run();
            }
            sink.accept(batch);
        };
    }
}
