package dev.medley.data.encoding;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The rule by which a column of a table becomes numbers, fitted on training rows only. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "as")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ColumnEncoding.Numeric.class, name = "numeric"),
    @JsonSubTypes.Type(value = ColumnEncoding.Moment.class, name = "moment"),
    @JsonSubTypes.Type(value = ColumnEncoding.Category.class, name = "category"),
    @JsonSubTypes.Type(value = SparseColumn.Words.class, name = "words"),
    @JsonSubTypes.Type(value = SparseColumn.Hashed.class, name = "hashed"),
    @JsonSubTypes.Type(value = SparseColumn.Pairs.class, name = "pairs")
})
public sealed interface ColumnEncoding
        permits ColumnEncoding.Dense, ColumnEncoding.Category, SparseColumn {
    /** The column's name in the files. */
    String name();

    /** What a numeric column holds in the files, and how texts write it. */
    enum Source {
        NUMBER,
        /** Numbers, some with commas between thousands: 1,000 is a thousand. */
        THOUSANDS,
        /** A time of day as 23:59 or 23:59:59, in seconds. */
        TIME,
        /** true is 1, false is 0; so are yes and no, y and n, t and f, on and off, 1 and 0. */
        BOOLEAN
    }

    /** A column with a place among the dense features. */
    sealed interface Dense extends ColumnEncoding permits Numeric, Moment {
        /** Names of its features, in order. */
        List<String> features();

        /** How its value becomes the first of them; days of a moment. */
        Scaling scaling();

        /** Whether a missing value is NaN, for models that can read it. */
        boolean keepsMissing();

        /**
         * Quantiles of the training values, scaled, ascending and different: between two of them
         * lie about as many values. Empty where nothing lies between them.
         */
        List<Float> bins();
    }

    /**
     * A number as {@link Scaling} says; a missing one as 0, the centre.
     *
     * @param name of the column
     * @param source what the files hold
     * @param centre what is taken off
     * @param scale what is divided by, never 0
     * @param clip see {@link Scaling}; 0, as in models of versions that had no such component, for
     *     none
     * @param missingIndicator whether a second feature is 1 where the value is missing
     * @param keepsMissing whether a missing value is NaN, and not 0; not so in models of versions
     *     that had no such component
     * @param bins see {@link Dense#bins}; none in models of versions that had no such component
     */
    record Numeric(
            String name,
            Source source,
            @JsonAlias("mean") double centre,
            @JsonAlias("deviation") double scale,
            @JsonSetter(nulls = Nulls.AS_EMPTY) double clip,
            boolean missingIndicator,
            @JsonSetter(nulls = Nulls.AS_EMPTY) boolean keepsMissing,
            List<Float> bins)
            implements Dense {
        public Numeric {
            bins = bins == null ? List.of() : List.copyOf(bins);
        }

        /** A column of whose bins nothing is known. */
        public Numeric(
                String name,
                Source source,
                double centre,
                double scale,
                double clip,
                boolean missingIndicator) {
            this(name, source, centre, scale, clip, missingIndicator, false, List.of());
        }

        @Override
        public Scaling scaling() {
            return new Scaling(centre, scale, clip);
        }

        @Override
        public List<String> features() {
            return missingIndicator ? List.of(name, name + " missing") : List.of(name);
        }
    }

    /**
     * A date or a time stamp (UTC): days since 1970 scaled, then sine and cosine of the day in the
     * year and of the day in the week, and of the time of day where there is one.
     *
     * @param name of the column
     * @param dates how texts write a date, as {@code %d/%m/%Y}; year, month and day with hyphens
     *     are read whatever it is, and alone by models of versions that had no such component
     * @param timeOfDay whether the column has one
     * @param centre of the epoch days
     * @param scale of them, never 0
     * @param clip see {@link Scaling}; 0, as in models of versions that had no such component, for
     *     none
     * @param missingIndicator whether a last feature is 1 where the value is missing
     * @param keepsMissing whether features of a missing value are NaN, and not 0; not so in models
     *     of versions that had no such component
     * @param bins see {@link Dense#bins}; none in models of versions that had no such component
     */
    record Moment(
            String name,
            String dates,
            boolean timeOfDay,
            @JsonAlias("mean") double centre,
            @JsonAlias("deviation") double scale,
            @JsonSetter(nulls = Nulls.AS_EMPTY) double clip,
            boolean missingIndicator,
            @JsonSetter(nulls = Nulls.AS_EMPTY) boolean keepsMissing,
            List<Float> bins)
            implements Dense {
        private static final String ISO = "%Y-%m-%d";

        public Moment {
            bins = bins == null ? List.of() : List.copyOf(bins);
            dates = Objects.requireNonNullElse(dates, ISO);
        }

        /** A column of whose bins nothing is known. */
        public Moment(
                String name,
                String dates,
                boolean timeOfDay,
                double centre,
                double scale,
                double clip,
                boolean missingIndicator) {
            this(name, dates, timeOfDay, centre, scale, clip, missingIndicator, false, List.of());
        }

        @Override
        public Scaling scaling() {
            return new Scaling(centre, scale, clip);
        }

        @Override
        public List<String> features() {
            List<String> parts = new ArrayList<>();
            parts.add("days");
            parts.addAll(List.of("year sin", "year cos", "week sin", "week cos"));
            if (timeOfDay) {
                parts.addAll(List.of("day sin", "day cos"));
            }
            if (missingIndicator) {
                parts.add("missing");
            }
            return parts.stream().map(part -> name + " " + part).toList();
        }
    }

    /**
     * One of several texts. The code of a value is its place in {@code values}, where texts of the
     * same number are the same value. Rare values share the next code, which values that training
     * has not seen have, too; a missing one has the code behind it if training had any. Without
     * rare values an unknown one is all zeros if one-hot; embedded, it has the last code of its
     * own, which training never sees.
     *
     * @param name of the column
     * @param values in code point order
     * @param missing whether training rows had none, so that missing is a category of its own
     * @param embedded whether the model embeds the code instead of reading a one-hot vector
     * @param rare share of the training rows whose value is rare; 0 where no value is, as in models
     *     of versions that had no such component
     */
    record Category(
            String name,
            List<String> values,
            boolean missing,
            boolean embedded,
            @JsonSetter(nulls = Nulls.AS_EMPTY) double rare)
            implements ColumnEncoding {
        public Category {
            values = List.copyOf(values);
        }

        /** A column without rare values. */
        public Category(String name, List<String> values, boolean missing, boolean embedded) {
            this(name, values, missing, embedded, 0);
        }

        /** Codes of values: those that are told apart, and that of the rare ones. */
        public int valueCodes() {
            return values.size() + (rare > 0 ? 1 : 0);
        }

        /** Codes that training rows can have. */
        public int knownCodes() {
            return valueCodes() + (missing ? 1 : 0);
        }

        /** Size of an embedding table: known codes and the unknown one. */
        public int cardinality() {
            return knownCodes() + (rare > 0 ? 0 : 1);
        }

        /** The code of a value that is not among the values; -1 for one-hot without rare ones. */
        public int unknownCode() {
            return rare > 0 ? values.size() : embedded ? knownCodes() : -1;
        }

        /** The code of a missing value. */
        public int missingCode() {
            return missing ? valueCodes() : unknownCode();
        }

        /** Names of the known codes, for people. */
        public List<String> codeNames() {
            List<String> names = new ArrayList<>();
            values.forEach(value -> names.add(name + "=" + value));
            if (rare > 0) {
                names.add(name + " rare");
            }
            if (missing) {
                names.add(name + " missing");
            }
            return names;
        }
    }
}
