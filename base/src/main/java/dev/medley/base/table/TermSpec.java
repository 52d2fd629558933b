package dev.medley.base.table;

import static dev.medley.base.ConfigException.check;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.io.Serializable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The choice of what a model tells apart in a table's texts: values of categories, words of free
 * texts. Rare values of a category are one, which values that training has not seen join.
 *
 * @param minFrequency training rows that a value or a word has to have; 1 for all
 * @param maxCategories most values of a column, of which the most frequent are kept; 0 for any
 *     number
 * @param text columns that are read word by word
 * @param hashed columns whose values, or whose words if {@code text} names them, too, have the
 *     place that their hash says
 * @param vocabulary most words of a column of texts, of which the most frequent are kept
 * @param hashBits a hash has one of two to the power of it places
 * @param sparse whether a model takes the terms of a row as few of many; else as a row of numbers
 */
public record TermSpec(
        int minFrequency,
        int maxCategories,
        List<String> text,
        List<String> hashed,
        int vocabulary,
        int hashBits,
        @JsonSetter(nulls = Nulls.AS_EMPTY) boolean sparse)
        implements Serializable {
    /** Indices up to it are exact in a FLOAT32. */
    public static final int MOST_BITS = 24;

    public TermSpec {
        text = List.copyOf(text);
        hashed = List.copyOf(hashed);
        check(
                minFrequency >= 1,
                "data.table.min_frequency=%d: at least 1 row, which every value has",
                minFrequency);
        check(
                maxCategories >= 0,
                "data.table.max_categories=%d: 0 for any number, or how many are kept",
                maxCategories);
        check(
                vocabulary >= 1 && vocabulary <= 1 << MOST_BITS,
                "data.table.vocabulary=%d: from 1 to %,d words",
                vocabulary,
                1 << MOST_BITS);
        check(
                hashBits >= 1 && hashBits <= MOST_BITS,
                "data.table.hash_bits=%d: from 1 to %d",
                hashBits,
                MOST_BITS);
    }

    /** All values, each for itself, for models that take rows of numbers. */
    public static TermSpec defaults() {
        return new TermSpec(1, 0, List.of(), List.of(), 1000, 10, false);
    }

    /** The same for models that take few of many. */
    public static TermSpec sparseDefaults() {
        return new TermSpec(1, 0, List.of(), List.of(), 10_000, 18, true);
    }

    /** The same for a model that takes few of many; what is the others' default becomes its own. */
    public TermSpec forSparse() {
        TermSpec others = defaults();
        TermSpec own = sparseDefaults();
        return new TermSpec(
                minFrequency,
                maxCategories,
                text,
                hashed,
                vocabulary == others.vocabulary ? own.vocabulary : vocabulary,
                hashBits == others.hashBits ? own.hashBits : hashBits,
                true);
    }

    /** The same with other values of categories told apart. */
    public TermSpec keeping(int leastRows, int mostCategories) {
        return new TermSpec(leastRows, mostCategories, text, hashed, vocabulary, hashBits, sparse);
    }

    /** Columns that are read word by word, or by hashes. */
    public Set<String> columns() {
        Set<String> columns = new LinkedHashSet<>(text);
        columns.addAll(hashed);
        return columns;
    }
}
