package dev.medley.loop.same;

import dev.medley.iceberg.WrittenTable;
import dev.medley.loop.same.FactHistory.FactColumn;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

/** Tables of Iceberg: deletes by value, and data files that are appended. */
final class IcebergPlace implements TablePlace {
    private final Path folder;
    private final Map<String, WrittenTable> tables = new HashMap<>();

    IcebergPlace(Path folder) {
        this.folder = folder;
    }

    @Override
    public String source(Kept table) {
        return "{iceberg: \"%s\", key: [%s]}"
                .formatted(folder.resolve(table.name()), TablePlace.names(table.key()));
    }

    @Override
    public void make(Kept table) throws Exception {
        List<NestedField> fields = new ArrayList<>();
        for (FactColumn column : table.columns()) {
            int id = fields.size() + 1;
            fields.add(
                    table.key().contains(column)
                            ? NestedField.required(id, column.name(), column.kind().icebergType())
                            : NestedField.optional(id, column.name(), column.kind().icebergType()));
        }
        tables.put(
                table.name(),
                new WrittenTable(
                        folder.resolve(table.name()),
                        new Schema(fields),
                        PartitionSpec.unpartitioned(),
                        Map.of("format-version", "2")));
    }

    @Override
    public void change(Kept table, Change change) {
        WrittenTable written = Objects.requireNonNull(tables.get(table.name()));
        if (!change.gone().isEmpty()) {
            List<NestedField> key =
                    table.key().stream()
                            .map(column -> written.table().schema().findField(column.name()))
                            .toList();
            written.deleteEqual(key, TablePlace.values(change.gone(), table.key(), false));
        }
        if (!change.put().isEmpty()) {
            written.append(TablePlace.values(change.put(), table.columns(), false));
        }
    }

    @Override
    public void close() throws Exception {
        for (WrittenTable table : tables.values()) {
            table.close();
        }
    }
}
