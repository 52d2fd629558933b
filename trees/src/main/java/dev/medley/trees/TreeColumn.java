package dev.medley.trees;

/**
 * A column that trees split on.
 *
 * @param name for people
 * @param categories how many there are; 0 for a number
 */
public record TreeColumn(String name, int categories) {
    /** The type by XGBoost's word. */
    String type() {
        return categories > 0 ? "c" : "q";
    }
}
