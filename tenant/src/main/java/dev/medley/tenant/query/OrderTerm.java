package dev.medley.tenant.query;

/**
 * Orders an answer.
 *
 * @param column a name of the answer, or of the table where nothing is computed
 * @param direction of what comes first; what is missing is last in both
 */
public record OrderTerm(String column, Direction direction) {
    /** Ways to order. */
    public enum Direction {
        ASC,
        DESC
    }
}
