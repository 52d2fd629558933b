package dev.medley.tenant.query;

import dev.medley.base.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds the rows of an answer.
 *
 * @param rows values in the order of the columns: Boolean, Long, BigInteger, Double or text, or
 *     null
 */
public record QueryAnswer(List<Named> columns, List<List<@Nullable Object>> rows) {
    /**
     * Describes a column.
     *
     * @param type {@code boolean}, {@code integer}, {@code number} or {@code text}
     */
    public record Named(String name, String type) {}

    /**
     * As JSON in one line; numbers that JSON does not have are the texts NaN, Infinity, -Infinity.
     */
    public String json() {
        return Json.line(this);
    }
}
