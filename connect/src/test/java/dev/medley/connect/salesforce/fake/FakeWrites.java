package dev.medley.connect.salesforce.fake;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one row, as each of the ways in does. */
final class FakeWrites {
    private FakeWrites() {}

    record Done(String id, boolean created) {}

    static Done write(
            FakeOrg org,
            FakeSwitches switches,
            String operation,
            String object,
            @Nullable String externalId,
            Map<String, @Nullable String> values,
            List<Map<String, @Nullable String>> together) {
        synchronized (org) {
            String trouble = switches.rows.of(values, together);
            if (trouble != null) {
                throw new FakeRefusal(400, trouble, message(trouble));
            }
            FakeTable table = org.table(object);
            Map<String, @Nullable String> own = new LinkedHashMap<>(values);
            String id = String.valueOf(own.get("Id"));
            switch (operation) {
                case "insert" -> {
                    return new Done(table.insert(own), true);
                }
                case "update" -> {
                    table.row(id);
                    own.remove("Id");
                    table.update(id, own);
                    return new Done(id, false);
                }
                case "delete", "hardDelete" -> {
                    table.delete(id);
                    return new Done(id, false);
                }
                case "upsert" -> {
                    FakeTable.Written written =
                            table.upsert(externalId == null ? "Id" : externalId, own);
                    return new Done(written.id(), written.created());
                }
                default -> throw new FakeRefusal(400, "INVALIDJOB", "no operation " + operation);
            }
        }
    }

    /** A value that is of no date ends a call, whichever row has it. */
    static void requireReadable(
            FakeSwitches switches, FakeTable table, List<Map<String, @Nullable String>> rows) {
        for (Map<String, @Nullable String> row : rows) {
            row.forEach(
                    (name, value) -> {
                        String type = table.field(name).type();
                        boolean isDate = type.equals("date") || type.equals("datetime");
                        boolean isReadable =
                                !isDate
                                        || value == null
                                        || value.matches("\\d{4}-\\d\\d-\\d\\d(T.*)?");
                        if (!isReadable || switches.unreadable.equals(value)) {
                            throw new FakeRefusal(
                                    400,
                                    "JSON_PARSER_ERROR",
                                    "Cannot deserialize instance of %s from VALUE_STRING value %s"
                                            .formatted(type, value));
                        }
                    });
        }
    }

    private static String message(String code) {
        return switch (code) {
            case "UNABLE_TO_LOCK_ROW" ->
                    "unable to obtain exclusive access to this record or 1 records";
            case "DUPLICATES_DETECTED" -> "Use one of these records?";
            case "REQUIRED_FIELD_MISSING" -> "Required fields are missing: [Name]";
            default -> "refused";
        };
    }
}
