package dev.medley.loop.check;

import static dev.medley.base.ConfigException.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that was agreed about rows. A value of this type is always valid. */
public sealed interface DataCheck {
    /** What follows where it does not hold. */
    Severity severity();

    /** The columns that it needs. */
    List<String> columns();

    /** Not more than a share of missing values. */
    record Nulls(String column, double mostShare, Severity severity) implements DataCheck {
        /** A share between 0 and 1. */
        public Nulls {
            check(
                    mostShare >= 0 && mostShare <= 1,
                    "check nulls of %s: a share of at most %s: give one between 0 and 1",
                    column,
                    mostShare);
        }

        @Override
        public List<String> columns() {
            return List.of(column);
        }
    }

    /** Numbers between two bounds, both included; null where there is none. */
    record Range(String column, @Nullable Double least, @Nullable Double most, Severity severity)
            implements DataCheck {
        /** At least one bound, and room between two. */
        public Range {
            check(
                    least != null || most != null,
                    "check range of %s: it has no bound: give least, most or both",
                    column);
            check(
                    least == null || most == null || least <= most,
                    "check range of %s: least %s is above most %s: exchange them",
                    column,
                    least,
                    most);
        }

        @Override
        public List<String> columns() {
            return List.of(column);
        }
    }

    /**
     * About as many rows as earlier windows had, by their own spread.
     *
     * @param level how often a window like the others may be found strange
     */
    record Volume(double level, Severity severity) implements DataCheck {
        /** A level between 0 and 1. */
        public Volume {
            check(
                    level > 0 && level < 1,
                    "check volume: level %s: give how often a usual window may be found strange,"
                            + " such as 0.001",
                    level);
        }

        @Override
        public List<String> columns() {
            return List.of();
        }
    }

    /** A newest row that is not older than some time, and not of the future. */
    record Freshness(String column, long mostAgeMillis, Severity severity) implements DataCheck {
        /** An age above 0. */
        public Freshness {
            check(
                    mostAgeMillis > 0,
                    "check freshness of %s: an age of at most %d ms: give one above 0",
                    column,
                    mostAgeMillis);
        }

        @Override
        public List<String> columns() {
            return List.of(column);
        }
    }

    /** No two rows with the same values of a key. */
    record Unique(List<String> columns, Severity severity) implements DataCheck {
        /** At least one column. */
        public Unique {
            columns = List.copyOf(columns);
            check(!columns.isEmpty(), "check unique: it names no column: give one or more");
        }
    }

    /** Only values that another table has; missing ones are not counted. */
    record Referential(String column, String target, Severity severity) implements DataCheck {
        @Override
        public List<String> columns() {
            return List.of(column);
        }
    }

    /** Only values of a list; missing ones are not counted. */
    record Allowed(String column, List<String> values, Severity severity) implements DataCheck {
        /** At least one value. */
        public Allowed {
            values = List.copyOf(values);
            check(!values.isEmpty(), "check allowed of %s: it allows no value: name some", column);
        }

        @Override
        public List<String> columns() {
            return List.of(column);
        }
    }
}
