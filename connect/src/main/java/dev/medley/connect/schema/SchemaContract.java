package dev.medley.connect.schema;

import static dev.medley.connect.schema.SchemaMode.DISCARD_ROW;
import static dev.medley.connect.schema.SchemaMode.DISCARD_VALUE;
import static dev.medley.connect.schema.SchemaMode.EVOLVE;
import static dev.medley.connect.schema.SchemaMode.FREEZE;

import dev.medley.base.ConfigException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Says for each kind of change of a column what becomes of it. A value of this type does not
 * contradict itself.
 */
public record SchemaContract(
        SchemaMode added,
        SchemaMode dropped,
        SchemaMode renamed,
        SchemaMode widened,
        SchemaMode narrowed,
        SchemaMode retyped,
        SchemaMode nullability) {
    /** Follows new columns, names and room; refuses what could break who reads the snapshot. */
    public static final SchemaContract USUAL =
            new SchemaContract(EVOLVE, FREEZE, EVOLVE, EVOLVE, FREEZE, FREEZE, EVOLVE);

    /** Follows everything. */
    public static final SchemaContract FOLLOW = all(EVOLVE);

    /** Refuses everything. */
    public static final SchemaContract FIXED = all(FREEZE);

    public SchemaContract {
        require("dropped", dropped, EVOLVE, FREEZE, DISCARD_VALUE);
        require("renamed", renamed, EVOLVE, FREEZE);
        require("narrowed", narrowed, EVOLVE, FREEZE);
        require("nullability", nullability, EVOLVE, FREEZE, DISCARD_ROW);
        ConfigException.check(
                retyped != EVOLVE || (widened == EVOLVE && narrowed == EVOLVE),
                "the contract takes another type of a column (retyped: evolve), but not more or"
                        + " less room in the same type (widened: %s, narrowed: %s): that is the"
                        + " smaller change; make those evolve, or retyped freeze",
                word(widened),
                word(narrowed));
        ConfigException.check(
                narrowed != EVOLVE || widened != FREEZE,
                "the contract takes less room in a column (narrowed: evolve), but not more"
                        + " (widened: freeze): values fit the other way; make widened evolve, or"
                        + " narrowed freeze");
    }

    private static SchemaContract all(SchemaMode mode) {
        return new SchemaContract(mode, mode, mode, mode, mode, mode, mode);
    }

    /** What becomes of a change of {@code kind}. */
    public SchemaMode of(ChangeKind kind) {
        return switch (kind) {
            case ADDED -> added;
            case DROPPED -> dropped;
            case RENAMED -> renamed;
            case WIDENED -> widened;
            case NARROWED -> narrowed;
            case RETYPED -> retyped;
            case NULLABILITY -> nullability;
        };
    }

    private static void require(String kind, SchemaMode mode, SchemaMode... possible) {
        List<SchemaMode> modes = List.of(possible);
        ConfigException.check(
                modes.contains(mode),
                "the contract says %s: %s, but no row or value there does not fit: use %s",
                kind,
                word(mode),
                String.join(" or ", Arrays.stream(possible).map(SchemaContract::word).toList()));
    }

    private static String word(SchemaMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }
}
