package dev.medley.iceberg;

import dev.medley.base.ConfigException;
import dev.medley.connect.sql.SqlColumns;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Writes the query of one data file's rows. Columns are found by field id, whatever they were
 * called when the file was written (Iceberg specification, "Column projection"); rows that files of
 * positions or of values delete are left out.
 */
final class DataFileQuery {
    private static final String ROW = "file_row_number";

    private final Table table;
    private final StoredFileIo io;
    private final DuckDb db;
    private final String name;

    /** Of a table's files, which messages call {@code name}. */
    DataFileQuery(Table table, StoredFileIo io, DuckDb db, String name) {
        this.table = table;
        this.io = io;
        this.db = db;
        this.name = name;
    }

    /** Selects the columns in their order, as staged values. */
    String rows(FileScanTask task, List<IcebergColumn> wanted) throws IOException, SQLException {
        Map<Integer, IcebergColumn> all = new LinkedHashMap<>();
        wanted.forEach(column -> all.put(column.field().fieldId(), column));
        List<String> conditions = new ArrayList<>();
        for (DeleteFile deletes : task.deletes()) {
            parquet(deletes);
            if (deletes.content() == FileContent.POSITION_DELETES) {
                conditions.add(
                        ("NOT EXISTS (SELECT 1 FROM read_parquet(%s) d WHERE d.file_path = %s AND "
                                        + "d.pos = r.%s)")
                                .formatted(
                                        local(deletes), DuckDb.text(task.file().location()), ROW));
                continue;
            }
            List<IcebergColumn> equal = new ArrayList<>();
            for (int id : deletes.equalityFieldIds()) {
                IcebergColumn column = all.computeIfAbsent(id, this::everKnown);
                equal.add(column);
            }
            conditions.add(
                    "NOT EXISTS (SELECT 1 FROM (%s) d WHERE %s)"
                            .formatted(
                                    columns(deletes, deletes.specId(), equal),
                                    equal.stream()
                                            .map(IcebergColumn::sqlName)
                                            .map(c -> "r." + c + " IS NOT DISTINCT FROM d." + c)
                                            .collect(Collectors.joining(" AND "))));
        }
        String values =
                wanted.stream()
                        .map(c -> SqlColumns.toStaged(c.column().type(), "(" + c.value() + ")"))
                        .collect(Collectors.joining(", "));
        return "SELECT %s FROM (%s) r%s"
                .formatted(
                        values,
                        columns(task.file(), task.spec().specId(), List.copyOf(all.values())),
                        conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions));
    }

    private void parquet(ContentFile<?> file) {
        ConfigException.check(
                file.format() != FileFormat.PUFFIN,
                "%s: rows are deleted by vectors (format version 3), which are not read: rewrite"
                        + " its data files, or go back to version 2",
                name);
        ConfigException.check(
                file.format() == FileFormat.PARQUET,
                "%s: %s is of format %s, and only Parquet is read: rewrite its data files",
                name,
                file.location(),
                file.format());
    }

    private String local(ContentFile<?> file) throws IOException {
        return DuckDb.path(io.local(file.location()));
    }

    /** A column that rows were deleted by may be one of an earlier schema. */
    private IcebergColumn everKnown(int id) {
        NestedField field = table.schema().findField(id);
        for (Schema earlier : table.schemas().values()) {
            field = field == null ? earlier.findField(id) : field;
        }
        ConfigException.check(
                field != null, "%s: rows are deleted by field %d, which no schema has", name, id);
        return IcebergColumn.of(field, name);
    }

    /** The columns of a file by field id, and the number of each row. */
    private String columns(ContentFile<?> file, int specId, List<IcebergColumn> all)
            throws IOException, SQLException {
        parquet(file);
        String path = local(file);
        Set<Integer> there = new LinkedHashSet<>();
        for (List<String> row :
                db.rows(
                        "SELECT field_id FROM parquet_schema(%s) WHERE field_id IS NOT NULL"
                                .formatted(path))) {
            there.add(Integer.parseInt(row.get(0)));
        }
        Map<Integer, String> fixed = ofPartition(file, specId, there, all);
        List<IcebergColumn> read =
                all.stream().filter(c -> !fixed.containsKey(c.field().fieldId())).toList();
        String select =
                all.stream()
                        .map(
                                c ->
                                        fixed.containsKey(c.field().fieldId())
                                                ? fixed.get(c.field().fieldId())
                                                        + " AS "
                                                        + c.sqlName()
                                                : c.sqlName())
                        .collect(Collectors.joining(", "));
        String rows = there.isEmpty() ? byName(path, read) : byId(path, read);
        return "SELECT %s, %s FROM (%s)".formatted(select, ROW, rows);
    }

    private static String byId(String path, List<IcebergColumn> read) {
        if (read.isEmpty()) {
            return "SELECT %s FROM read_parquet(%s, %s = true)".formatted(ROW, path, ROW);
        }
        return "SELECT * FROM read_parquet(%s, %s = true, schema = MAP {%s})"
                .formatted(
                        path,
                        ROW,
                        read.stream()
                                .map(IcebergColumn::schemaEntry)
                                .collect(Collectors.joining(", ")));
    }

    /** Files that were there before the table was Iceberg's have no ids, but names. */
    private String byName(String path, List<IcebergColumn> read) throws SQLException {
        String mapping = table.properties().get(TableProperties.DEFAULT_NAME_MAPPING);
        ConfigException.check(
                mapping != null,
                "%s: a file has no field ids, and the table no schema.name-mapping.default to find"
                        + " its columns by",
                name);
        NameMapping names = NameMappingParser.fromJson(mapping);
        Set<String> there = new LinkedHashSet<>();
        for (List<String> row : db.rows("DESCRIBE SELECT * FROM read_parquet(" + path + ")")) {
            there.add(row.get(0));
        }
        List<String> select = new ArrayList<>();
        for (IcebergColumn column : read) {
            MappedField mapped = names.find(column.field().fieldId());
            String found =
                    mapped == null
                            ? null
                            : mapped.names().stream()
                                    .filter(there::contains)
                                    .findFirst()
                                    .orElse(null);
            String value = found == null ? "NULL" : DuckDb.name(found);
            select.add("CAST(%s AS %s) AS %s".formatted(value, column.sqlType(), column.sqlName()));
        }
        select.add(ROW);
        return "SELECT %s FROM read_parquet(%s, %s = true)"
                .formatted(String.join(", ", select), path, ROW);
    }

    /** Values of columns that a file lacks since they are the same in all its rows. */
    private Map<Integer, String> ofPartition(
            ContentFile<?> file, int specId, Set<Integer> there, List<IcebergColumn> all) {
        Map<Integer, String> fixed = new LinkedHashMap<>();
        PartitionSpec spec = table.specs().get(specId);
        for (int i = 0; spec != null && i < spec.fields().size(); i++) {
            PartitionField field = spec.fields().get(i);
            if (!field.transform().isIdentity() || there.contains(field.sourceId())) {
                continue;
            }
            for (IcebergColumn column : all) {
                if (column.field().fieldId() == field.sourceId()) {
                    Class<?> type = spec.javaClasses()[i];
                    Object value = file.partition().get(i, type);
                    fixed.put(
                            field.sourceId(),
                            value == null
                                    ? "CAST(NULL AS " + column.sqlType() + ")"
                                    : column.literal(text(column, value)));
                }
            }
        }
        return fixed;
    }

    private static String text(IcebergColumn column, Object value) {
        return org.apache.iceberg.transforms.Transforms.<Object>identity()
                .toHumanString(column.field().type(), value);
    }
}
