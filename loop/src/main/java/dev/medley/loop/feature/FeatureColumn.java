package dev.medley.loop.feature;

import dev.medley.base.ConfigException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Names a column that a {@link FeatureCode} gives.
 *
 * @param name as rows to learn from have it
 * @param type Boolean, Long, Double, String, LocalDate, LocalDateTime or Instant. Times are kept in
 *     microseconds
 */
public record FeatureColumn(String name, Class<?> type) {
    private static final List<Class<?>> TYPES =
            List.of(
                    Boolean.class,
                    Long.class,
                    Double.class,
                    String.class,
                    LocalDate.class,
                    LocalDateTime.class,
                    Instant.class);

    public FeatureColumn {
        ConfigException.check(!name.isBlank(), "a column has no name");
        ConfigException.check(
                TYPES.contains(type),
                "column '%s' is of %s; there are %s",
                name,
                type.getName(),
                TYPES.stream().map(Class::getSimpleName).collect(Collectors.joining(", ")));
    }

    /** Its type in the engine. */
    String sqlType() {
        return switch (type.getSimpleName()) {
            case "Boolean" -> "BOOLEAN";
            case "Long" -> "BIGINT";
            case "Double" -> "DOUBLE";
            case "String" -> "VARCHAR";
            case "LocalDate" -> "DATE";
            case "LocalDateTime" -> "TIMESTAMP";
            default -> "TIMESTAMPTZ";
        };
    }
}
