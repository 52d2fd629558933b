package dev.medley.connect.salesforce;

import dev.medley.base.ConfigException;
import dev.medley.connect.back.BackRow;
import dev.medley.connect.back.BackTable;
import dev.medley.connect.back.RowFailure;
import dev.medley.connect.salesforce.call.ObjectField;
import dev.medley.connect.salesforce.call.ObjectFields;
import dev.medley.connect.salesforce.call.ResultRecords;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes rows as an object's records: with JSON's types for REST, as texts of CSV for Bulk. */
final class RowForm {
    /** Takes a value away in CSV, where an empty one leaves it as it is. */
    private static final String NOTHING = "#N/A";

    private final BackTable table;
    private final ObjectField key;
    private final List<ObjectField> columns;

    private RowForm(BackTable table, ObjectField key, List<ObjectField> columns) {
        this.table = table;
        this.key = key;
        this.columns = columns;
    }

    /** Checks that the org has the fields and that the user may write them. */
    static RowForm of(BackTable table, ObjectFields described) {
        ObjectField key = described.field(table.key());
        ConfigException.check(
                key.isExternalId(),
                "%s of %s is no external id: mark the field as External ID and Unique in"
                        + " Salesforce, or name another one",
                key.name(),
                described.object());
        ConfigException.check(
                key.isUnique(),
                "%s of %s may have one value in several records, so rows could be doubled: mark the"
                        + " field as Unique in Salesforce, or name another one",
                key.name(),
                described.object());
        List<ObjectField> columns = new ArrayList<>();
        for (String name : table.columns()) {
            ObjectField field = described.field(name);
            ConfigException.check(
                    field.isWritable(),
                    "%s may not write %s of %s: check the field's rights, or leave it out",
                    "the user",
                    field.name(),
                    described.object());
            columns.add(field);
        }
        return new RowForm(
                new BackTable(described.object(), key.name(), ObjectFields.names(columns)),
                key,
                columns);
    }

    /** With the names as the org writes them. */
    BackTable table() {
        return table;
    }

    /** Rows of one parent side by side, so that no two batches want its lock at a time. */
    Comparator<BackRow> byParent() {
        return Comparator.comparing(this::parents).thenComparing(BackRow::key);
    }

    private String parents(BackRow row) {
        StringBuilder parents = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).type().equals("reference")) {
                parents.append(row.values().get(i)).append(' ');
            }
        }
        return parents.toString();
    }

    /** Why a row cannot even be sent. */
    Optional<RowFailure> trouble(BackRow row) {
        for (int i = 0; i < columns.size(); i++) {
            String value = row.values().get(i);
            ObjectField field = columns.get(i);
            boolean isWrong =
                    value != null && !value.isEmpty() && !FieldTexts.areRead(field.type(), value);
            if (isWrong) {
                return Optional.of(
                        new RowFailure(
                                "INVALID_VALUE",
                                "%s is '%s', which is no %s"
                                        .formatted(field.name(), value, field.type())));
            }
        }
        return Optional.empty();
    }

    /** Whether CSV can say the row: not if a text is the word for nothing. */
    boolean fitsCsv(BackRow row) {
        return !row.values().contains(NOTHING) && !row.key().equals(NOTHING);
    }

    byte[] csv(List<BackRow> rows) {
        StringBuilder text = new StringBuilder();
        List<String> names = new ArrayList<>(List.of(key.name()));
        names.addAll(table.columns());
        ResultRecords.append(text, names);
        for (BackRow row : rows) {
            List<String> record = new ArrayList<>(List.of(row.key()));
            for (String value : row.values()) {
                record.add(value == null || value.isEmpty() ? NOTHING : value);
            }
            ResultRecords.append(text, record);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    Map<String, Object> json(List<BackRow> rows) {
        List<Map<String, @Nullable Object>> records = new ArrayList<>();
        for (BackRow row : rows) {
            Map<String, @Nullable Object> record = new LinkedHashMap<>();
            record.put("attributes", Map.of("type", table.table()));
            record.put(key.name(), row.key());
            for (int i = 0; i < columns.size(); i++) {
                record.put(columns.get(i).name(), value(columns.get(i), row.values().get(i)));
            }
            records.add(record);
        }
        return Map.of("allOrNone", false, "records", records);
    }

    private static @Nullable Object value(ObjectField field, @Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        return field.isNumber()
                ? new BigDecimal(text)
                : field.type().equals("boolean") ? (Object) Boolean.valueOf(text) : text;
    }
}
