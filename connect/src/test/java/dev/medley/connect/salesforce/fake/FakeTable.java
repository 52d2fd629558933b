package dev.medley.connect.salesforce.fake;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The records of one object. Values are texts, as in a CSV file; a moment is an ISO 8601 text. */
public final class FakeTable {
    private static final List<FakeField> SYSTEM =
            List.of(
                    FakeField.required("Id", "id"),
                    FakeField.required("IsDeleted", "boolean"),
                    FakeField.required("CreatedDate", "datetime"),
                    FakeField.required("LastModifiedDate", "datetime"),
                    FakeField.required("SystemModstamp", "datetime"));

    private final FakeOrg org;
    private final String name;
    private final String prefix;
    private final Map<String, FakeField> fields = new LinkedHashMap<>();
    private final Map<String, Map<String, @Nullable String>> rows = new LinkedHashMap<>();
    private final Map<String, Map<String, List<String>>> ids = new LinkedHashMap<>();

    FakeTable(FakeOrg org, String name, String prefix, List<FakeField> own) {
        this.org = org;
        this.name = name;
        this.prefix = prefix;
        SYSTEM.forEach(f -> fields.put(f.name(), f));
        own.forEach(this::addField);
    }

    public String name() {
        return name;
    }

    String prefix() {
        return prefix;
    }

    public void addField(FakeField field) {
        fields.put(field.name(), field);
    }

    public void removeField(String field) {
        fields.remove(field);
    }

    List<FakeField> fields() {
        return List.copyOf(fields.values());
    }

    FakeField field(String wanted) {
        for (FakeField field : fields.values()) {
            if (field.name().equalsIgnoreCase(wanted)) {
                return field;
            }
        }
        throw new FakeRefusal(
                400,
                "INVALID_FIELD",
                "\nERROR at Row:1:Column:8\nNo such column '%s' on entity '%s'. If you are attempting"
                                .formatted(wanted, name)
                        + " to use a custom field, be sure to append the '__c' after the custom"
                        + " field name.");
    }

    /** All records, those in the bin, too. */
    public List<Map<String, @Nullable String>> all() {
        synchronized (org) {
            return new ArrayList<>(rows.values());
        }
    }

    /** All records but those in the bin. */
    public List<Map<String, @Nullable String>> live() {
        return all().stream().filter(r -> !"true".equals(r.get("IsDeleted"))).toList();
    }

    public String insert(Map<String, @Nullable String> values) {
        return insertAt(values, org.now());
    }

    /** With a stamp of its own, as a transaction has that began then and commits now. */
    public String insertAt(Map<String, @Nullable String> values, Instant stamp) {
        synchronized (org) {
            Map<String, @Nullable String> row = new LinkedHashMap<>();
            fields.keySet().forEach(f -> row.put(f, null));
            String id = "%s%012dAAA".formatted(prefix, org.nextId());
            row.put("Id", id);
            row.put("IsDeleted", "false");
            row.put("CreatedDate", stamp.toString());
            rows.put(id, row);
            write(row, values, stamp);
            tell("CREATE", id);
            return id;
        }
    }

    public void update(String id, Map<String, @Nullable String> values) {
        updateAt(id, values, org.now());
    }

    public void updateAt(String id, Map<String, @Nullable String> values, Instant stamp) {
        synchronized (org) {
            write(row(id), values, stamp);
            tell("UPDATE", id);
        }
    }

    /** As no record had ever been. */
    public void empty() {
        synchronized (org) {
            rows.clear();
            ids.clear();
        }
    }

    public void delete(String id) {
        synchronized (org) {
            Map<String, @Nullable String> row = row(id);
            row.put("IsDeleted", "true");
            row.put("SystemModstamp", org.now().toString());
            tell("DELETE", id);
        }
    }

    /** Out of the bin. */
    public void undelete(String id) {
        synchronized (org) {
            Map<String, @Nullable String> row = java.util.Objects.requireNonNull(rows.get(id));
            row.put("IsDeleted", "false");
            row.put("SystemModstamp", org.now().toString());
            tell("UNDELETE", id);
        }
    }

    /** Past the bin, as a hard delete does it. */
    public void purge(String id) {
        synchronized (org) {
            rows.remove(id);
            tell("DELETE", id);
        }
    }

    private void tell(String type, String id) {
        org.events.changed(name, type, id, org.now().toEpochMilli());
    }

    Map<String, @Nullable String> row(String id) {
        Map<String, @Nullable String> row = rows.get(id.length() == 15 ? id + "AAA" : id);
        if (row == null || "true".equals(row.get("IsDeleted"))) {
            throw new FakeRefusal(
                    404,
                    "NOT_FOUND",
                    "Provided external ID field does not exist or is not accessible");
        }
        return row;
    }

    /** Ids of the records that have {@code value} in an external id. */
    List<String> matches(String field, String value) {
        FakeField found = field(field);
        if (!found.externalId() && !found.name().equals("Id")) {
            throw new FakeRefusal(
                    400,
                    "INVALID_FIELD",
                    "Field name provided, %s is not an External ID".formatted(field));
        }
        if (found.name().equals("Id")) {
            return rows.containsKey(value) ? List.of(value) : List.of();
        }
        return ids.getOrDefault(found.name(), Map.of()).getOrDefault(value, List.of()).stream()
                .filter(id -> !"true".equals(rows.get(id).get("IsDeleted")))
                .filter(id -> value.equals(rows.get(id).get(found.name())))
                .distinct()
                .toList();
    }

    /** Whether it made a record, and which one it wrote. */
    record Written(String id, boolean created) {}

    Written upsert(String field, Map<String, @Nullable String> values) {
        String value = values.get(field);
        if (value == null || value.isEmpty()) {
            throw new FakeRefusal(400, "MISSING_ARGUMENT", field + " not specified");
        }
        List<String> found = matches(field, value);
        if (found.size() > 1) {
            throw new FakeRefusal(
                    300,
                    "DUPLICATE_VALUE",
                    "%s: more than one record found for external id field: %s"
                            .formatted(field, found));
        }
        if (found.isEmpty()) {
            return new Written(insert(values), true);
        }
        update(found.get(0), values);
        return new Written(found.get(0), false);
    }

    private void write(
            Map<String, @Nullable String> row,
            Map<String, @Nullable String> values,
            Instant stamp) {
        values.forEach(
                (key, value) -> {
                    FakeField field = field(key);
                    if (field.calculated()) {
                        throw new FakeRefusal(
                                400,
                                "INVALID_FIELD_FOR_INSERT_UPDATE",
                                "Unable to create/update fields: %s. Please check the security settings"
                                        .formatted(key));
                    }
                    String text =
                            value == null || value.isEmpty() || value.equals("#N/A") ? null : value;
                    row.put(field.name(), text);
                    if (field.externalId() && text != null) {
                        ids.computeIfAbsent(field.name(), f -> new LinkedHashMap<>())
                                .computeIfAbsent(text, v -> new ArrayList<>())
                                .add(String.valueOf(row.get("Id")));
                    }
                });
        row.put("LastModifiedDate", stamp.toString());
        row.put("SystemModstamp", stamp.toString());
    }
}
