package dev.medley.data.table.fit;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.table.TermSpec;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.SparseColumn.Pairs;
import dev.medley.data.encoding.TableEncoding;
import java.util.List;

/** Checks how many features words and hashes become. */
final class TermLimits {
    /** Numbers of a row that models take as they are: 256 KiB. */
    static final int MOST_SPREAD = 1 << 16;

    private TermLimits() {}

    /** A {@link dev.medley.base.ConfigException} says what makes the features fewer. */
    static void require(TableEncoding encoding) {
        long terms = encoding.ofTerms().stream().mapToLong(SparseColumn::width).sum();
        List<String> names = encoding.ofTerms().stream().map(SparseColumn::name).toList();
        boolean areGiven = encoding.ofTerms().stream().anyMatch(Pairs.class::isInstance);
        String remedy = areGiven ? "the indices" : "data.table.vocabulary or data.table.hash_bits";
        check(
                encoding.sparse() || terms == 0 || terms + encoding.plainCount() <= MOST_SPREAD,
                "columns %s become %,d features, and model families other than linear take %,d at"
                        + " most: lower %s, or take model: linear",
                names,
                terms,
                MOST_SPREAD,
                remedy);
        check(
                terms <= 1 << TermSpec.MOST_BITS,
                "columns %s become %,d features, more than %,d: lower %s",
                names,
                terms,
                1 << TermSpec.MOST_BITS,
                remedy);
    }
}
