package dev.medley.tensor.factor;

/**
 * Tells which of a sample's categories are the user and the item.
 *
 * @param user place among the categories; -1 where there is none
 * @param item place among the categories; -1 where there is none
 */
public record FactorSides(int user, int item) {
    /** There are neither users nor items. */
    public static final FactorSides NONE = new FactorSides(-1, -1);
}
