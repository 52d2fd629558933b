package dev.medley.connect.schema;

import dev.medley.connect.schema.ColumnRule.Misfit;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.TableSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Compares the columns of a snapshot with those of its source, and decides by the contract. A pure
 * function; columns are matched by their ids. No value is converted by any decision: it fits, it is
 * left out, or the column takes the new type.
 */
public final class SchemaRules {
    private final TableSchema old;
    private final TableSchema now;
    private final SchemaContract contract;
    private final List<Column> kept = new ArrayList<>();
    private final List<Integer> from = new ArrayList<>();
    private final List<ColumnRule> rules = new ArrayList<>();
    private final List<SchemaChange> changes = new ArrayList<>();

    private SchemaRules(TableSchema old, TableSchema now, SchemaContract contract) {
        this.old = old;
        this.now = now;
        this.contract = contract;
    }

    /** The columns of a snapshot that is new. */
    public static SchemaDecision first(TableSchema now) {
        return new SchemaDecision(
                now,
                IntStream.range(0, now.columns().size()).boxed().toList(),
                List.of(),
                List.of(),
                false,
                "the first sync");
    }

    /**
     * What becomes of the columns.
     *
     * @param old of the snapshot
     * @param now of the source
     */
    public static SchemaDecision decide(TableSchema old, TableSchema now, SchemaContract contract) {
        return new SchemaRules(old, now, contract).decided();
    }

    private SchemaDecision decided() {
        Set<String> known = new HashSet<>();
        for (Column column : old.columns()) {
            known.add(column.id());
            int at = indexOf(column.id());
            if (at < 0) {
                drop(column);
            } else {
                follow(column, at);
            }
        }
        for (int at = 0; at < now.columns().size(); at++) {
            if (!known.contains(now.columns().get(at).id())) {
                add(at);
            }
        }
        List<SchemaChange> refused =
                changes.stream().filter(c -> c.mode() == SchemaMode.FREEZE).toList();
        String clash = clash();
        if (refused.isEmpty() && clash.isEmpty()) {
            return new SchemaDecision(schema(), from, rules, changes, false, said(changes));
        }
        return new SchemaDecision(
                old,
                List.of(),
                List.of(),
                changes,
                true,
                refused.isEmpty()
                        ? clash
                        : said(refused)
                                + ": the contract freezes that; change the source back, or the"
                                + " contract to evolve, discard_row or discard_value");
    }

    private String said(List<SchemaChange> all) {
        if (all.isEmpty()) {
            return keyIds(old).equals(keyIds(now))
                    ? "the columns are as they were"
                    : "the key is %s, no longer %s".formatted(now.key(), old.key());
        }
        return all.stream().map(SchemaChange::why).collect(Collectors.joining("; "));
    }

    /** Keeping columns can leave two of one name, or a key column without values. */
    private String clash() {
        Set<String> names = new HashSet<>();
        for (Column column : kept) {
            if (!names.add(column.name())) {
                return ("the source has a new column '%s', and the contract keeps the old one of"
                                + " that name: let dropped evolve, or rename the new one")
                        .formatted(column.name());
            }
        }
        Set<String> ids = kept.stream().map(Column::id).collect(Collectors.toSet());
        Set<String> bare =
                rules.stream()
                        .filter(r -> !r.dropsRow())
                        .map(r -> now.columns().get(r.from()).id())
                        .collect(Collectors.toSet());
        for (Column key : now.keyColumns()) {
            if (!ids.contains(key.id()) || bare.contains(key.id())) {
                return ("column '%s' is of the key, so the contract cannot leave its values out:"
                                + " let that change evolve, or freeze it")
                        .formatted(key.name());
            }
        }
        return "";
    }

    private TableSchema schema() {
        List<String> key =
                keyIds(now).stream()
                        .map(
                                id ->
                                        kept.stream()
                                                .filter(c -> c.id().equals(id))
                                                .findFirst()
                                                .orElseThrow()
                                                .name())
                        .toList();
        return new TableSchema(kept, key);
    }

    private void drop(Column column) {
        String what = "the source has no column '%s' any more".formatted(column.name());
        SchemaMode mode =
                change(ChangeKind.DROPPED, column.name(), what, "its values are left empty");
        if (mode == SchemaMode.DISCARD_VALUE) {
            keep(limited(column, column.name(), column, true), SchemaDecision.NOWHERE);
        }
    }

    private void add(int at) {
        Column column = now.columns().get(at);
        String what = "column '%s' (%s) is new".formatted(column.name(), type(column));
        SchemaMode mode = change(ChangeKind.ADDED, column.name(), what, "it is left out");
        if (mode == SchemaMode.EVOLVE) {
            keep(column, at);
        } else if (mode == SchemaMode.DISCARD_ROW) {
            rules.add(new ColumnRule(at, column.name(), Misfit.ANY, column, true));
        }
    }

    private void follow(Column was, int at) {
        Column is = now.columns().get(at);
        String name = was.name();
        if (!is.name().equals(name)) {
            String what = "column '%s' is now called '%s'".formatted(name, is.name());
            change(ChangeKind.RENAMED, name, what, "");
            name = is.name();
        }
        if (is.type() != was.type()) {
            String what = "column '%s' is %s, no longer %s".formatted(name, type(is), type(was));
            SchemaMode mode = change(ChangeKind.RETYPED, name, what, "its values are left out");
            if (mode == SchemaMode.EVOLVE) {
                keep(limited(is, name, is, nullable(was, is, at)), at);
            } else {
                rules.add(
                        new ColumnRule(at, name, Misfit.ANY, was, mode == SchemaMode.DISCARD_ROW));
                keep(limited(was, name, was, true), SchemaDecision.NOWHERE);
            }
            return;
        }
        boolean nullable = nullable(was, is, at);
        Column room = room(was, is, at, name);
        boolean losesValues = rules.stream().anyMatch(r -> r.from() == at && !r.dropsRow());
        keep(limited(was, name, room, nullable || losesValues), at);
    }

    private boolean nullable(Column was, Column is, int at) {
        boolean fits = was.nullable() || !is.nullable();
        if (was.nullable() == is.nullable()
                || (fits && contract.nullability() != SchemaMode.EVOLVE)) {
            return was.nullable();
        }
        String what =
                "rows %s lack a value of column '%s'"
                        .formatted(is.nullable() ? "may now" : "may no longer", is.name());
        SchemaMode mode =
                change(ChangeKind.NULLABILITY, is.name(), what, "rows without one are left out");
        if (mode == SchemaMode.DISCARD_ROW && is.nullable()) {
            rules.add(new ColumnRule(at, is.name(), Misfit.MISSING, was, true));
        }
        return mode == SchemaMode.EVOLVE ? is.nullable() : was.nullable();
    }

    /** The column whose size and scale count. */
    private Column room(Column was, Column is, int at, String name) {
        if (was.size() == is.size() && was.scale() == is.scale()) {
            return was;
        }
        boolean isWider = ColumnRule.holds(is, was);
        String what = "column '%s' is %s, no longer %s".formatted(name, type(is), type(was));
        SchemaMode mode =
                change(
                        isWider ? ChangeKind.WIDENED : ChangeKind.NARROWED,
                        name,
                        what,
                        "larger values are left out");
        if (mode == SchemaMode.EVOLVE) {
            return is;
        }
        if (mode == SchemaMode.DISCARD_ROW || mode == SchemaMode.DISCARD_VALUE) {
            boolean dropsRow = mode == SchemaMode.DISCARD_ROW;
            rules.add(new ColumnRule(at, name, Misfit.TOO_LARGE, was, dropsRow));
        }
        return was;
    }

    private SchemaMode change(ChangeKind kind, String column, String what, String discarded) {
        SchemaMode mode = contract.of(kind);
        String then =
                switch (mode) {
                    case EVOLVE, FREEZE -> what;
                    case DISCARD_VALUE -> what + ", and " + discarded;
                    case DISCARD_ROW -> what + ", and rows with such a value are left out";
                };
        changes.add(new SchemaChange(kind, column, mode, then));
        return mode;
    }

    private void keep(Column column, int at) {
        kept.add(column);
        from.add(at);
    }

    private int indexOf(String id) {
        for (int at = 0; at < now.columns().size(); at++) {
            if (now.columns().get(at).id().equals(id)) {
                return at;
            }
        }
        return SchemaDecision.NOWHERE;
    }

    private static Column limited(Column column, String name, Column room, boolean nullable) {
        return new Column(column.id(), name, column.type(), room.size(), room.scale(), nullable);
    }

    private static List<String> keyIds(TableSchema schema) {
        return schema.keyColumns().stream().map(Column::id).toList();
    }

    private static String type(Column column) {
        String type = column.type().name().toLowerCase(Locale.ROOT);
        if (column.size() == 0) {
            return type;
        }
        return column.scale() == 0
                ? "%s(%d)".formatted(type, column.size())
                : "%s(%d,%d)".formatted(type, column.size(), column.scale());
    }
}
