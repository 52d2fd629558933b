package dev.medley.loop.watch;

import dev.medley.base.ConfigException;
import dev.medley.loop.column.CategoryProfile;
import dev.medley.loop.column.NumberProfile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is kept of some rows of a column: of numbers or of categories, one of both.
 *
 * @param numbers null where it has categories
 * @param categories null where it has numbers
 */
public record KeptColumn(
        String column, @Nullable NumberProfile numbers, @Nullable CategoryProfile categories) {
    public KeptColumn {
        ConfigException.check(
                (numbers == null) != (categories == null),
                "column %s: it has numbers or categories, and not both",
                column);
    }

    /** Of numbers. */
    public static KeptColumn of(String column, NumberProfile numbers) {
        return new KeptColumn(column, numbers, null);
    }

    /** Of categories. */
    public static KeptColumn of(String column, CategoryProfile categories) {
        return new KeptColumn(column, null, categories);
    }

    /** Whether it has numbers. */
    public boolean hasNumbers() {
        return numbers != null;
    }

    /** Rows with a value that can be compared. */
    public long present() {
        return numbers != null ? numbers.count() : ofCategories().count();
    }

    /** Rows without one; an infinite number counts as none. */
    public long missing() {
        return numbers != null ? numbers.missing() + numbers.infinite() : ofCategories().missing();
    }

    /** All rows. */
    public long rows() {
        return present() + missing();
    }

    /** The share of rows without a value; 0 where there are no rows. */
    public double missingShare() {
        return rows() == 0 ? 0 : (double) missing() / rows();
    }

    /** Of both parts' rows; the other is of the same kind. */
    public KeptColumn merge(KeptColumn other) {
        if (numbers != null && other.numbers != null) {
            return of(column, numbers.merge(other.numbers));
        }
        return of(column, ofCategories().merge(other.ofCategories()));
    }

    /** Of all parts' rows. */
    static KeptColumn merged(List<KeptColumn> parts) {
        return parts.stream().reduce(KeptColumn::merge).orElseThrow();
    }

    /** Its categories. */
    CategoryProfile ofCategories() {
        if (categories == null) {
            throw new IllegalStateException("column " + column + " has numbers");
        }
        return categories;
    }
}
