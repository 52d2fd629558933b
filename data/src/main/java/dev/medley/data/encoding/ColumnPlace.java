package dev.medley.data.encoding;

import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Dense;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The place of a table's column among the arrays of a sample: which array, and which part of its
 * row.
 *
 * @param input index of the array in the signature
 * @param from first element of the row
 * @param width elements of the row; 0 for a column of which nothing is left
 */
public record ColumnPlace(int input, int from, int width) {
    /** The places of all columns by name, in file order. */
    public static Map<String, ColumnPlace> of(TableEncoding table) {
        Map<String, ColumnPlace> found = new LinkedHashMap<>();
        int dense = 0;
        int oneHot = table.denseCount();
        int embedded = 0;
        int spread = table.plainCount();
        int slot = 0;
        int terms = table.featureCount() > 0 ? 1 : 0;
        int codes = terms + (table.sparse() && table.slots() > 0 ? 1 : 0);
        for (ColumnEncoding column : table.columns()) {
            if (column instanceof Dense numbers) {
                int width = numbers.features().size();
                found.put(column.name(), new ColumnPlace(0, dense, width));
                dense += width;
            } else if (column instanceof SparseColumn sparse && table.sparse()) {
                found.put(column.name(), new ColumnPlace(terms, slot, 2 * sparse.slots()));
                slot += 2 * sparse.slots();
            } else if (column instanceof SparseColumn sparse) {
                found.put(column.name(), new ColumnPlace(0, spread, sparse.width()));
                spread += sparse.width();
            } else if (column instanceof Category category && category.embedded()) {
                found.put(column.name(), new ColumnPlace(codes, embedded++, 1));
            } else if (column instanceof Category category) {
                int width = category.knownCodes();
                found.put(column.name(), new ColumnPlace(0, oneHot, width));
                oneHot += width;
            }
        }
        return found;
    }
}
