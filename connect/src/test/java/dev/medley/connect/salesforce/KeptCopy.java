package dev.medley.connect.salesforce;

import dev.medley.connect.table.Changes;
import dev.medley.connect.table.ColumnVector;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowSink;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSource;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The simplest copy of a table that obeys what sources promise: rows are kept until all are there.
 */
final class KeptCopy {
    final Map<String, List<String>> rows = new TreeMap<>();
    private final List<Staged> staged = new ArrayList<>();
    private final List<Staged> pending = new ArrayList<>();
    @Nullable JsonNode since;
    @Nullable JsonNode resume;
    int given;
    int missed;
    String why = "";

    private record Staged(String key, boolean isDeleted, List<String> values) {}

    /** One sync; after a failure the next one goes on with what was kept. */
    void sync(TableSource source) throws IOException {
        pending.clear();
        try (TableView view = source.open(new SyncStart(since, resume))) {
            if (!view.isResumed()) {
                staged.clear();
            }
            Changes changes = view.changes();
            why = changes.why();
            view.rows(changes.rows(), sink());
            staged.addAll(pending);
            Set<String> keys = null;
            if (changes.rows() == Changes.Rows.CHANGED
                    && changes.deletes() == Changes.Deletes.BY_KEYS) {
                keys = new HashSet<>();
                Set<String> all = keys;
                view.keys(
                        batch -> {
                            for (int row = 0; row < batch.rows(); row++) {
                                all.add(batch.column(0).textAt(row));
                            }
                        });
            }
            if (changes.rows() == Changes.Rows.ALL) {
                rows.clear();
            }
            apply(keys);
            since = view.position();
        }
        staged.clear();
        resume = null;
        if (missed > 0) { // What no stamp tells of is read with all.
            missed = 0;
            since = null;
            sync(source);
        }
    }

    private void apply(@Nullable Set<String> keys) {
        for (Staged one : staged) {
            if (one.isDeleted()) {
                rows.remove(one.key());
            } else {
                rows.put(one.key(), one.values());
            }
        }
        if (keys != null) {
            rows.keySet().retainAll(keys);
            missed = keys.size() - rows.size();
        }
    }

    private RowSink sink() {
        return new RowSink() {
            @Override
            public void accept(RowBatch batch) {
                for (int row = 0; row < batch.rows(); row++) {
                    List<String> values = new ArrayList<>();
                    for (int c = 0; c < batch.columns().size(); c++) {
                        values.add(text(batch.column(c), row));
                    }
                    pending.add(new Staged(values.get(0), batch.isDeleted(row), values));
                    given++;
                }
            }

            @Override
            public void resumable(JsonNode position) {
                staged.addAll(pending);
                pending.clear();
                resume = position;
            }
        };
    }

    private static String text(ColumnVector vector, int row) {
        if (vector.isMissing(row)) {
            return "-";
        }
        return vector.type().isLong()
                ? Long.toString(vector.longAt(row))
                : vector.type().isText()
                        ? vector.textAt(row)
                        : Double.toString(vector.doubleAt(row));
    }
}
